import { describe, expect, test } from "vitest";
import { type Column, table } from "../../../src/data/index.ts";
import { attributeTableRows, explain, predictTable } from "../../../src/explain/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

const n = 300;
const next = normals(fold(keyFromSeed(1), "rows"));
const draw = (): Float64Array => Float64Array.from({ length: n }, next);
const [a, b] = [draw(), draw()];
const level = Int32Array.from({ length: n }, (_, i) => i % 3);
const columns: Column[] = [
  { kind: "number", name: "a", values: a.map((value) => 50 + 10 * value) },
  { kind: "category", name: "level", levels: ["x", "y", "z"], codes: level },
  { kind: "number", name: "b", values: b },
];
const y = a.map(
  (value, i) => 100 + 2 * value + (level[i] === 1 ? 3 : 0) + b[i] ** 2 + 0.2 * next(),
);
const rows = Uint32Array.of(0, 7, 200);

describe("a prediction shared out among the variables", () => {
  const numbers = table([...columns, { kind: "number", name: "y", values: y }]);

  test.each(["network", "gp"] as const)("adds up, for a %s", async (kind) => {
    const { model } = await explain(numbers, { target: "y", model: kind });
    const [{ base, predictions, values, ...rest }, ...more] = await attributeTableRows(
      model,
      numbers,
      rows,
      { steps: kind === "gp" ? 64 : 2000 },
    );
    expect([rest.class, more, values.rows, values.cols]).toEqual([null, [], 3, 3]);
    const { mean } = predictTable(model, numbers);
    rows.forEach((row, i) => {
      expect(predictions[i]).toBeCloseTo(mean![row], 4);
      const sum = values.data.subarray(3 * i, 3 * i + 3).reduce((s, v) => s + v);
      expect(base + sum).toBeCloseTo(predictions[i], 2);
    });
    // The average row is not that of zeros in the table's units, where a would be 5 standard deviations away.
    expect(Math.abs(base - 102)).toBeLessThan(3);
  });

  test("gives a linear model its coefficients times the distance from the mean", async () => {
    const line = table([
      columns[0],
      columns[2],
      { kind: "number", name: "y", values: a.map((value, i) => 2 * value - b[i] + 0.01 * next()) },
    ]);
    const { model } = await explain(line, { target: "y", model: "gp", kernel: "linear" });
    const [{ values }] = await attributeTableRows(model, line, rows, { steps: 1 });
    const [first, second] = model.encoding.variables;
    if (first.kind !== "number" || second.kind !== "number") throw new Error("numbers");
    rows.forEach((row, i) => {
      expect(values.data[2 * i]).toBeCloseTo(0.2 * (50 + 10 * a[row] - first.mean), 2);
      expect(values.data[2 * i + 1]).toBeCloseTo(second.mean - b[row], 2);
    });
  });

  test("speaks of the second of two classes, and of each of three", async () => {
    for (const labels of [
      ["low", "high"],
      ["low", "middle", "high"],
    ]) {
      const codes = Int32Array.from(y, (value) =>
        Math.min(labels.length - 1, Math.max(0, Math.floor((value - 101) / 2))),
      );
      const source = table([...columns, { kind: "category", name: "y", levels: labels, codes }]);
      const { model } = await explain(source, { target: "y" });
      const all = await attributeTableRows(model, source, rows, { steps: 2000 });
      const classes = model.classes!;
      expect(all.map((output) => output.class)).toEqual(
        classes.length === 2 ? [classes[1]] : classes,
      );
      for (const { base, predictions, values } of all)
        rows.forEach((_, i) => {
          const sum = values.data.subarray(3 * i, 3 * i + 3).reduce((s, v) => s + v);
          expect(base + sum).toBeCloseTo(predictions[i], 2);
        });
    }
  });
});
