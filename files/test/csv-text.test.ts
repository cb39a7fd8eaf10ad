import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { csvCellOfText, textOfCsvCell } from "../src/csv-text.ts";

describe("csvCellOfText", () => {
  test.each([
    ["rs123", "rs123"],
    ["a,b", '"a,b"'],
    ['5" pipe', '"5"" pipe"'],
    ["", '""'],
    ["=1+2", `"'=1+2"`],
    ["+x", `"'+x"`],
    ["-x", `"'-x"`],
    ["@SUM(A1)", `"'@SUM(A1)"`],
    ["\t=1", `"'\t=1"`],
    ["＝1", `"'＝1"`],
    ["'=1", `"''=1"`],
    ["'quoted'", `"'quoted'"`],
  ])("writes %j as %s", (text, cell) => {
    expect(csvCellOfText(text)).toBe(cell);
  });

  const hostile = fc.array(
    fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "'", '"', ",", "a", " ", "＝"),
    {
      maxLength: 6,
    },
  );

  test("no cell begins as a formula does, and every text comes back", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostile.map((parts) => parts.join("")),
          fc.string({ unit: "binary" }),
        ),
        (text) => {
          const [[cell, after]] = Papa.parse<string[]>(`${csvCellOfText(text)},1`, {
            delimiter: ",",
          }).data;
          expect(after).toBe("1");
          expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
          expect(textOfCsvCell(cell)).toBe(text);
        },
      ),
      { seed: 1, numRuns: 2000 },
    );
  });
});
