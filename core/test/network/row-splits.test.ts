import { describe, expect, test } from "vitest";
import { fit } from "../../src/network/index.ts";
import { recipe } from "../../src/network/recipe.ts";
import { rowSplits } from "../../src/network/row-splits.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";

const key = keyFromSeed(1);
const plan = recipe("standard");
const all = (n: number) => Array.from({ length: n }, (_, i) => i);

describe("rows held back to choose by", () => {
  test("keep groups together: once of many rows, in folds of few", () => {
    for (const [n, parts] of [
      [2000, 1],
      [400, 5],
    ]) {
      const values = Int32Array.from({ length: n }, (_, i) => i % 50);
      const splits = rowSplits(n, plan, key, { kind: "groups", values });
      expect(splits).toHaveLength(parts);
      for (const { trainingRows, validationRows } of splits) {
        const left = new Set(Array.from(trainingRows, (row) => values[row]));
        expect([...validationRows].some((row) => left.has(values[row]))).toBe(false);
        expect([...trainingRows, ...validationRows].sort((a, b) => a - b)).toEqual(all(n));
        expect(validationRows.length / n).toBeCloseTo(parts === 1 ? 0.3 : 0.2, 2);
      }
    }
  });

  test("are the latest, once, few rows or many", () => {
    for (const n of [2000, 400]) {
      const values = Float64Array.from({ length: n }, (_, i) => (37 * i) % n);
      const [split, ...more] = rowSplits(n, plan, key, { kind: "time", values });
      expect(more).toEqual([]);
      expect(split.validationRows).toHaveLength(0.3 * n);
      for (const row of split.validationRows) expect(values[row]).toBeGreaterThanOrEqual(0.7 * n);
      expect([...split.trainingRows, ...split.validationRows].sort((a, b) => a - b)).toEqual(
        all(n),
      );
    }
  });

  test("are drawn by chance where one group or one time is all there is, or fewer groups than folds", () => {
    const one = { kind: "groups", values: new Int32Array(400) } as const;
    expect(rowSplits(400, plan, key, one)).toEqual(rowSplits(400, plan, key));
    const three = { kind: "groups", values: Int32Array.from(all(400), (i) => i % 3) } as const;
    expect(rowSplits(400, plan, key, three)).toHaveLength(1);
  });

  test("are none where the recipe holds back none", () => {
    const values = Float64Array.from(all(50));
    const none = { ...plan, validationFraction: 0 };
    expect(rowSplits(50, none, key, { kind: "time", values })).toEqual(rowSplits(50, none, key));
  });

  test("are those by which a fit stops and chooses", async () => {
    const n = 700;
    const next = normals(key);
    const X = { data: Float32Array.from({ length: 2 * n }, next), rows: n, cols: 2 };
    const y = Float64Array.from({ length: n }, (_, i) => X.data[2 * i] + next());
    const values = Float64Array.from({ length: n }, (_, i) => -i);
    const { validationRows } = await fit(X, y, {
      key,
      architecture: {
        inputs: 2,
        layers: [{ kind: "dense", units: 2, activation: "relu" }],
        link: "identity",
      },
      changes: { epochs: 2, penalties: [0] },
      structure: { kind: "time", values },
    });
    expect([...validationRows]).toEqual(all(0.3 * n));
  });
});
