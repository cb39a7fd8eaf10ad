import { describe, expect, test } from "vitest";
import { clause, flagText, mention, mentioned, say, wordsText } from "../../src/words/index.ts";

describe("words", () => {
  const words = say`${3} rows are left out${clause`; ${mention("missing", "mean")} keeps them`}.`;

  test("read as a program or the command has its options", () => {
    expect(wordsText(words)).toBe('3 rows are left out; missing: "mean" keeps them.');
    expect(wordsText(words, flagText)).toBe("3 rows are left out; --missing mean keeps them.");
  });

  test("leave a clause out where the reader lacks one of its options, and keep the rest", () => {
    expect(wordsText(words, () => null)).toBe("3 rows are left out.");
    const two = say`a${clause` (${mention("by")} or ${mention("copies")})`}`;
    const one = (known: string) =>
      wordsText(two, ({ option }) => (option === known ? `<${option}>` : null));
    expect([one("by"), one("copies"), wordsText(two)]).toEqual(["a", "a", "a (by or copies)"]);
  });

  test("keep an option outside a clause, without which the sentence would break", () => {
    expect(wordsText(say`use ${mention("by")}`, () => null)).toBe("use by");
  });

  test("list the options they mention, in and out of clauses", () => {
    expect(
      mentioned(say`${mention("a")}${clause`, ${mention("b", 2)}${clause`, ${mention("c")}`}`}`),
    ).toEqual(["a", "b", "c"]);
    expect(mentioned("no option")).toEqual([]);
    expect(mentioned(say`none ${"here"}`)).toEqual([]);
  });

  test("hold neighbouring texts as one", () => {
    expect(say`a ${1} b ${say`c ${mention("d")} e`}`).toEqual(["a 1 b c ", { option: "d" }, " e"]);
  });

  test("survive the way through JSON", () => {
    const again = JSON.parse(JSON.stringify(words));
    expect(wordsText(again, flagText)).toBe(wordsText(words, flagText));
  });
});

test.each([
  [mention("testFraction", 0.3), "testFraction: 0.3", "--test-fraction 0.3"],
  [mention("select", { fdr: 0.1 }), "select: { fdr: 0.1 }", "--select fdr=0.1"],
  [mention("by", "knockoffs"), 'by: "knockoffs"', "--by knockoffs"],
  [mention("stability"), "stability", "--stability"],
])("%o", (option, program, command) => {
  expect(wordsText([option])).toBe(program);
  expect(wordsText([option], flagText)).toBe(command);
});
