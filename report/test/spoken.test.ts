import { clause, mention, say } from "@ratewise/core/words";
import { expect, test } from "vitest";
import { spoken } from "../src/spoken.ts";

const words = say`<b> ${mention("stability")} & more${clause` (${mention("select", { fdr: 0.1 })})`}.`;

test("options are the command's as code, and everything else is escaped", () => {
  expect(spoken(words).html).toBe(
    "&lt;b&gt; <code>--stability</code> &amp; more (<code>--select fdr=0.1</code>).",
  );
});

test("another reader has their own words, without what they cannot ask for", () => {
  const own = ({ option }: { option: string }) => (option === "stability" ? "“<Ranks>”" : null);
  expect(spoken(words, own).html).toBe("&lt;b&gt; “&lt;Ranks&gt;” &amp; more.");
});
