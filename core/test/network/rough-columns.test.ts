import { describe, expect, test } from "vitest";
import { expandColumns } from "../../src/data/expansion.ts";
import { matrix } from "../../src/linalg/index.ts";
import { type Architecture, fit, forward } from "../../src/network/index.ts";
import { roughColumns } from "../../src/network/rough-columns.ts";
import { keyFromSeed, normals, permutation } from "../../src/random/index.ts";

const n = 1200;
/** Column 0 has values 0 … 11, the others are normal. */
function columnsOf(seed: number, p: number) {
  const next = normals(keyFromSeed(seed));
  const order = permutation(keyFromSeed(seed + 100), n);
  const X = matrix(n, p);
  for (let i = 0; i < n; i++) {
    for (let j = 1; j < p; j++) X.data[i * p + j] = next();
    X.data[i * p] = ((order[i] % 12) - 5.5) / 3.45;
  }
  return { X, next };
}
const all = Uint32Array.from({ length: n }, (_, i) => i);
const [trainingRows, validationRows] = [all.slice(0, 900), all.slice(900)];
const leftoverOf = (r: Float64Array, outputs = 1) => ({
  trainingRows,
  validationRows,
  training: r.slice(0, 900 * outputs),
  validation: r.slice(900 * outputs),
});
const SAW = [1, -1, 0.5, -0.5, 1, -1, 1, -0.5, 0.5, -1, 1, -1];

describe("columns whose effects are left", () => {
  test("are found by value, and their knots are the values", () => {
    const { X, next } = columnsOf(1, 4);
    const at = (i: number) => Math.round(X.data[i * 4] * 3.45 + 5.5);
    const r = Float64Array.from(all, (i) => SAW[at(i)] + next());
    const found = roughColumns(X, [0, 1, 2, 3], [leftoverOf(r)], keyFromSeed(1));
    expect(found.map(({ column, kind, knots }) => [column, kind, knots.length])).toEqual([
      [0, "values", 12],
    ]);
    // Of the variance of the saw, about as much as heights of 75 rows each can tell.
    const variance = SAW.reduce((sum, height) => sum + height ** 2 / 12, 0);
    expect(found[0].gain.mean).toBeGreaterThan(0.7 * variance);
    expect(found[0].gain.mean).toBeLessThan(1.2 * variance);
  });

  test("are found where they bend, and not asked for unless they may be expanded", () => {
    const { X, next } = columnsOf(2, 4);
    // Up and down between whole numbers.
    const waves = (x: number) => Math.abs(((x + 100) % 2) - 1);
    const r = Float64Array.from(all, (i) => 3 * waves(X.data[i * 4 + 2]) + 0.5 * next());
    const found = roughColumns(X, [0, 1, 2, 3], [leftoverOf(r)], keyFromSeed(1));
    expect(found.map(({ column, kind }) => [column, kind])).toEqual([[2, "bends"]]);
    expect(roughColumns(X, [0, 1, 3], [leftoverOf(r)], keyFromSeed(1))).toEqual([]);
  });

  test("are found by what is left of any class", () => {
    const { X, next } = columnsOf(3, 3);
    const at = (i: number) => Math.round(X.data[i * 3] * 3.45 + 5.5);
    const r = new Float64Array(3 * n);
    for (const i of all) {
      r[3 * i + 1] = 0.3 * SAW[at(i)] + 0.3 * next();
      r[3 * i] = -r[3 * i + 1];
    }
    const found = roughColumns(X, [0, 1, 2], [leftoverOf(r, 3)], keyFromSeed(1));
    expect(found.map(({ column }) => column)).toEqual([0]);
  });

  test("are none in noise: at most 1 in 40 tables of 30 columns", () => {
    let passed = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { X, next } = columnsOf(50 + seed, 30);
      const r = Float64Array.from(all, next);
      const columns = Array.from({ length: 30 }, (_, j) => j);
      passed += roughColumns(X, columns, [leftoverOf(r)], keyFromSeed(seed)).length > 0 ? 1 : 0;
    }
    expect(passed).toBeLessThanOrEqual(1);
  });

  test("have at least five values: fewer bend too seldom", () => {
    const { X } = columnsOf(4, 3);
    for (const i of all) X.data[i * 3] = i % 4;
    const r = Float64Array.from(all, (i) => [1, -1, 1, -1][i % 4]);
    expect(roughColumns(X, [0, 1, 2], [leftoverOf(r)], keyFromSeed(1))).toEqual([]);
  });
});

describe("a network of columns that may be expanded", () => {
  const architecture: Architecture = {
    inputs: 4,
    layers: [{ kind: "dense", units: 8, activation: "relu" }],
    link: "identity",
  };
  const key = keyFromSeed(5);
  const mayExpand = [0, 1, 2, 3];
  const make = (seed: number, f: (x: Float64Array, value: number) => number) => {
    const { X, next } = columnsOf(seed, 4);
    const y = Float64Array.from(all, (i) => {
      const x = X.data.subarray(i * 4, i * 4 + 4);
      return f(x, Math.round(x[0] * 3.45 + 5.5)) + 0.3 * next();
    });
    return { X, y };
  };

  test("takes the hats of a saw-tooth column, and predicts better with them", async () => {
    const saw = (x: Float64Array, value: number) => SAW[value] + x[1];
    const { X, y } = make(7, saw);
    const fresh = make(8, saw);
    const wide = await fit(X, y, { key, architecture, mayExpand });
    expect(wide.expansions.map(({ column, first }) => [column, first])).toEqual([[0, 4]]);
    expect(wide.network.architecture.inputs).toBe(16);
    expect(wide.tried.filter(({ taken }) => taken).at(-1)).toMatchObject({ expanded: 1 });
    const plain = await fit(X, y, { key, architecture });
    expect(plain.expansions).toEqual([]);
    const error = (f: Float64Array) =>
      f.reduce((sum, value, i) => sum + (value - fresh.y[i]) ** 2 / n, 0);
    const before = error(forward(plain.network, fresh.X).mean.data);
    const after = error(forward(wide.network, expandColumns(fresh.X, wide.expansions)).mean.data);
    expect(after).toBeLessThan(0.5 * before);
  });

  test("leaves smooth columns as they are: the same bits as if nothing might be expanded", async () => {
    const { X, y } = make(9, (x, value) => 0.1 * value + x[1] * x[1]);
    const layers = [32, 16].map((units) => ({ kind: "dense", units, activation: "relu" }) as const);
    const larger: Architecture = { ...architecture, layers };
    const may = await fit(X, y, { key, architecture: larger, mayExpand });
    const plain = await fit(X, y, { key, architecture: larger });
    expect(may.expansions).toEqual([]);
    expect(may.network).toEqual(plain.network);
    expect(may.tried).toEqual(plain.tried);
  });
});
