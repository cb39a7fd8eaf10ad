import { describe, expect, test } from "vitest";
import {
  type Diagnostic,
  diagnostic,
  diagnosticOf,
  isAboutRate,
  severityOf,
  spokenTo,
} from "../src/diagnostic.ts";
import { clause, flagText, mention, say } from "../src/words/index.ts";

const rows = diagnostic("rows-missing", "3 rows are left out.", { rows: 3 });
const stability = diagnostic(
  "stability",
  say`The first ten.${clause` ${mention("ensemble", 5)} says more.`}`,
  { top: 10 },
);

describe("a diagnostic", () => {
  test("has its severity from the table, and its words only where they mention an option", () => {
    expect(rows).toEqual({
      code: "rows-missing",
      severity: "note",
      message: "3 rows are left out.",
      rows: 3,
    });
    expect(stability.message).toBe("The first ten. ensemble: 5 says more.");
    expect(Object.keys(stability)).toEqual(["code", "severity", "message", "top", "words"]);
    expect("words" in diagnostic("all-zero", say`All ${0}.`)).toBe(false);
  });

  test("is spoken to each reader in their words, and stays as it was where it mentions none", () => {
    const [same, told] = spokenTo<Diagnostic>([rows, stability], flagText);
    expect(same).toBe(rows);
    expect(told).toEqual({ ...stability, message: "The first ten. --ensemble 5 says more." });
    expect(spokenTo([told], () => null)[0].message).toBe("The first ten.");
  });

  test("is found by its code, with what the code carries", () => {
    expect(diagnosticOf([rows, stability], "stability")?.top).toBe(10);
    expect(diagnosticOf([rows], "stability")).toBeUndefined();
  });
});

test("severity goes by the code alone, as in results of earlier versions and later ones", () => {
  const code = (text: string) => severityOf({ code: text });
  expect(["model-predicts-poorly", "response-is-own-output"].map(code)).toEqual([
    "serious",
    "serious",
  ]);
  expect(code("stand-ins")).toBe("caution");
  expect(code("posterior-rank")).toBe("internal");
  expect([code("of-a-later-version"), code("toString")]).toEqual(["note", "note"]);
});

test("what is about RATE alone is told from what others share", () => {
  const about = ["posterior-rank", "stand-ins", "all-zero", "toString"];
  expect(about.map((code) => isAboutRate({ code }))).toEqual([true, true, false, false]);
});
