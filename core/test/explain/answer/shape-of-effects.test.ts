import { expect, test } from "vitest";
import { type Column, table } from "../../../src/data/index.ts";
import { explain, predictTable } from "../../../src/explain/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";

const n = 400;
const next = normals(fold(keyFromSeed(1), "shapes"));
const draws = () => Float64Array.from({ length: n }, next);
const [up, hill, moderated, switched] = [draws(), draws(), draws(), draws()];
const codes = Int32Array.from(up, (_, i) => i % 3);
const y = up.map(
  (value, i) =>
    2 * value - 1.5 * hill[i] ** 2 + (codes[i] === 2 ? 3 : 0) + 2 * moderated[i] * switched[i],
);
const columns: Column[] = [
  { kind: "number", name: "up", values: up.map((value) => 50 + 10 * value) },
  { kind: "number", name: "hill", values: hill },
  { kind: "number", name: "moderated", values: moderated },
  { kind: "number", name: "switched", values: switched },
  { kind: "category", name: "level", levels: ["p", "q", "r"], codes },
];
const source = table([...columns, { kind: "number", name: "y", values: y }]);
const explained = await explain(source, { target: "y", hidden: [16, 8] });
const shapeNamed = (name: string) =>
  explained.document.shapes.find((shape) => shape.name === name)!;

test("a curve is the mean prediction over the training rows with the variable set to a value", () => {
  const { document, model } = explained;
  expect(document.model.rows.train).toBeLessThanOrEqual(300);
  // The rows listed are the held-out ones: all of them, as they are fewer than 500.
  const heldOut = new Set(document.predictions.row.map((row) => row - 1));
  const train = [...up.keys()].filter((i) => !heldOut.has(i));
  expect(train.length).toBe(document.model.rows.train);
  for (const name of ["up", "level"]) {
    const { values, curves, rows } = shapeNamed(name);
    expect(rows).toBe(train.length);
    for (const [at, value] of values.entries()) {
      const changed = columns.map((column): Column => {
        if (column.name !== name) return column;
        return column.kind === "number"
          ? { ...column, values: new Float64Array(n).fill(value as number) }
          : { ...column, codes: new Int32Array(n).fill(column.levels.indexOf(value as string)) };
      });
      const { mean } = predictTable(model, table(changed));
      const naive = train.reduce((sum, i) => sum + mean![i], 0) / train.length;
      expect(curves[0].mean[at]).toBeCloseTo(naive, 4); // rows are encoded in single precision
    }
  }
});

test("directions and shapes are found, in the table's units", () => {
  const straight = shapeNamed("up");
  expect(straight.curves[0].shape).toBe("rises");
  expect(straight.values).toHaveLength(20);
  expect(Math.min(...(straight.values as number[]))).toBeGreaterThan(10);
  const slope =
    (straight.curves[0].mean[15] - straight.curves[0].mean[4]) /
    ((straight.values[15] as number) - (straight.values[4] as number));
  expect(slope).toBeCloseTo(0.2, 1);
  expect(shapeNamed("hill").curves[0].shape).toBe("rises, then falls");
  const { kind, values, curves } = shapeNamed("level");
  expect([kind, curves[0].shape]).toEqual(["category", null]);
  const byLevel = Object.fromEntries(values.map((level, at) => [level, curves[0].mean[at]]));
  expect(byLevel.r - byLevel.p).toBeGreaterThan(2);
  expect(Math.abs(byLevel.q - byLevel.p)).toBeLessThan(0.7);
});

test("rows' own curves part where another variable decides, and hardly where it does not", () => {
  const width = (name: string) => {
    const [{ low, high, mean }] = shapeNamed(name).curves;
    mean.forEach((value, at) => {
      expect(low[at]).toBeLessThanOrEqual(value + 1);
    });
    return high[0] - low[0];
  };
  expect(width("moderated")).toBeGreaterThan(2 * width("up"));
  for (const name of ["moderated", "switched"])
    expect(shapeNamed(name).curves[0].shape).toBe("depends on others");
});

test("probabilities of classes: one curve for two, one a class for three", async () => {
  const labelled = (labels: string[], of: (value: number) => number) =>
    table([
      ...columns,
      { kind: "category", name: "label", levels: labels, codes: Int32Array.from(y, of) },
    ]);
  const two = await explain(
    labelled(["no", "yes"], (v) => Number(v > 0)),
    { target: "label" },
  );
  const [{ curves }] = two.document.shapes;
  expect(curves.map((curve) => curve.class)).toEqual(["yes"]);
  for (const shape of two.document.shapes)
    for (const bound of shape.curves.flatMap(({ low, high }) => [...low, ...high])) {
      expect(bound).toBeGreaterThanOrEqual(0);
      expect(bound).toBeLessThanOrEqual(1);
    }
  expect(two.document.calibration.confusion).toHaveLength(2);
  const three = await explain(
    labelled(["a", "b", "c"], (v) => (v > 1 ? 2 : v > -1 ? 1 : 0)),
    { target: "label" },
  );
  const shape = three.document.shapes.find(({ name }) => name === "up")!;
  expect(shape.curves.map((curve) => curve.class)).toEqual(["a", "b", "c"]);
  for (const at of shape.values.keys()) {
    const total = shape.curves.reduce((sum, curve) => sum + curve.mean[at], 0);
    expect(total).toBeCloseTo(1, 6);
  }
  expect(shape.curves[0].shape).toBe("falls");
  expect(shape.curves[2].shape).toBe("rises");
});

test("a Gaussian process has shapes too", async () => {
  const { document } = await explain(source, { target: "y", model: "gp", subsample: 120 });
  const shape = document.shapes.find(({ name }) => name === "up")!;
  expect(shape.curves[0].shape).toBe("rises");
  expect(document.calibration.intervals).toHaveLength(4);
});
