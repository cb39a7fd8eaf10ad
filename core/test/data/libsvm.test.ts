import fc from "fast-check";
import { expect, test } from "vitest";
import { denseColumns, parseLibsvm } from "../../src/data/index.ts";

test("reads labels and sparse rows; the first index is 1 unless a 0 occurs", () => {
  const rows = parseLibsvm("+1 1:0.5 3:-2e1 # a comment\n\n-1 qid:3 2:7\r\n0\n", "d.svm");
  expect([...rows.labels]).toEqual([1, -1, 0]);
  expect([rows.base, rows.X.cols]).toEqual([1, 3]);
  expect(denseColumns(rows.X)).toEqual([
    Float64Array.of(0.5, 0, 0),
    Float64Array.of(0, 7, 0),
    Float64Array.of(-20, 0, 0),
  ]);
  const from0 = parseLibsvm("1 0:2 1:3\n2 1:4", "d.svm");
  expect([from0.base, from0.X.cols]).toEqual([0, 2]);
  expect(denseColumns(from0.X)).toEqual([Float64Array.of(2, 0), Float64Array.of(3, 4)]);
});

test.each([
  ["x 1:2\n", 'd.svm, line 1: needs a number as the label, got "x"'],
  ["1 1:2\n1,2 1:2\n", 'd.svm, line 2: needs a number as the label, got "1,2"'],
  ["1 1:2 a:3\n", 'd.svm, line 1: needs index:value with numbers on both sides, got "a:3"'],
  ["1 1:2 3\n", 'needs index:value with numbers on both sides, got "3"'],
  ["1 1:two\n", 'got "1:two"'],
  ["1 2:1 2:1\n", 'd.svm, line 1: needs indices that increase, after 2, got "2:1"'],
  ["1 3000000000:1\n", "needs an index below 2^31"],
  ["", "d.svm: the file is empty"],
  ["1\n2\n", "d.svm: needs index:value somewhere, got labels alone"],
])("%j is an error with its line", (text, message) => {
  expect(() => parseLibsvm(text, "d.svm")).toThrow(message);
});

test("what is written comes back, and any text is read or refused with a line", () => {
  const row = fc.tuple(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const text = rows.map(([label, at]) => {
        const cells = at.toSorted((a, b) => a - b).map((j) => `${j}:${j / 7}`);
        return `${label} ${cells.join(" ")}`;
      });
      const read = parseLibsvm(text.join("\n"), "d");
      // The text of −0 is 0.
      expect([...read.labels]).toEqual(rows.map(([label]) => Number(`${label}`)));
      const dense = denseColumns(read.X);
      rows.forEach(([, at], i) => {
        for (let j = 1; j <= read.X.cols; j++)
          expect(dense[j - 1][i]).toBe(at.includes(j) ? j / 7 : 0);
      });
    }),
    { seed: 1, numRuns: 100 },
  );
  const words = fc.constantFrom(
    "1",
    "-1",
    "1:2",
    "2:x",
    ":",
    "#",
    "\n",
    " ",
    "qid:1",
    "9:1e5",
    "é",
  );
  fc.assert(
    fc.property(
      fc.array(words).map((list) => list.join(" ")),
      (text) => {
        try {
          expect(parseLibsvm(text, "d").labels.length).toBeGreaterThan(0);
        } catch (error) {
          expect((error as Error).message).toMatch(/^d(, line \d+)?: /);
        }
      },
    ),
    { seed: 2, numRuns: 300 },
  );
});
