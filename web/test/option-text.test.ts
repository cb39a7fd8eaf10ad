import { RatewiseError } from "@ratewise/core";
import { clause, mention, say, wordsText } from "@ratewise/core/words";
import { readTable } from "@ratewise/files";
import { optionsOf } from "ratewise/options";
import { describe, expect, test } from "vitest";
import { pageText } from "../src/option-text.ts";

describe("the page speaks of an option", () => {
  const own = pageText(false);

  test.each([
    [mention("missing", "mean"), "“Rows with missing values: mean”"],
    [mention("testFraction", 0.2), "“Share of the rows to test on: 0.2”"],
    [
      mention("select", { fdr: 0.25 }),
      "“Select findings, with at most this share false on average: fdr=0.25”",
    ],
    [mention("by", "permutation"), "“How to select: permutation”"],
    [mention("copies", "genotype"), "“How to copy the columns: genotype”"],
    [mention("task", "regression"), "“Predicted as: numbers”"],
    [mention("decimalComma"), "“Decimals are written with a comma”"],
  ])("%o by the label of its control", (option, label) => {
    expect(own(option)).toBe(label);
  });

  test("as of none where its form has no control for it", () => {
    expect(
      [mention("workers", 2), mention("baseline", "mean"), mention("nothing")].map(own),
    ).toEqual([null, null, null]);
  });

  test("of a trained network only where it applies to one, and the other way round", () => {
    const trained = pageText(true);
    expect(trained(mention("select", { fdr: 0.1 }))).toBeNull();
    expect(own(mention("classes"))).toBeNull();
    expect(trained(mention("classes"))).toBe("“Names of the classes, in the order of the outputs”");
    const advice = say`trained elsewhere${clause`: ${mention("select")} without ${mention("model")}`}.`;
    expect(wordsText(advice, trained)).toBe("trained elsewhere.");
  });

  test("by every label that its form has", () => {
    const labelled = optionsOf("explain").filter(({ page }) => typeof page === "string");
    expect(labelled.length).toBeGreaterThan(20);
    for (const { name, page } of labelled) {
      const both = [false, true].map((trained) => pageText(trained)(mention(name)));
      expect(both).toContain(`“${page}”`);
    }
  });
});

test("an error carries the options that could help, whatever its words are", async () => {
  const read = async (cells: string) => {
    const text = `a;b\n${`${cells}\n`.repeat(3)}`;
    const error = await readTable(new TextEncoder().encode(text)).catch((reason) => reason);
    return (error as RatewiseError).remedies;
  };
  expect(await read("1,5;2")).toEqual(["decimalComma", "categories"]);
  expect(new RatewiseError("parse", { what: "use decimalComma" }).remedies).toEqual([]);
});
