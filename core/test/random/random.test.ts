import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fold,
  keyFromSeed,
  normalInto,
  normals,
  permutation,
  subsample,
  uniforms,
} from "../../src/random/index.ts";
import { philoxInto } from "../../src/random/philox.ts";

const take = (next: () => number, n: number) => Array.from({ length: n }, next);

test("philox4x32-10 matches the Random123 known answers", () => {
  const out = new Uint32Array(4);
  philoxInto(out, 0, 0, 0, 0, 0, 0);
  expect([...out]).toEqual([0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  const f = 0xffffffff;
  philoxInto(out, f, f, f, f, f, f);
  expect([...out]).toEqual([0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
  philoxInto(out, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0);
  expect([...out]).toEqual([0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]);
});

describe("keys", () => {
  test("different labels, numbers and orders give different children", () => {
    const root = keyFromSeed(1);
    const children = [
      root,
      fold(root, "a"),
      fold(root, "b"),
      fold(root, "ab"),
      fold(root, "ba"),
      fold(root, "a", "b"),
      fold(root, "b", "a"),
      fold(root, 0),
      fold(root, 1),
      fold(root, 2 ** 32),
      fold(root, "0"),
      fold(keyFromSeed(2), "a"),
      fold(keyFromSeed(2 ** 32 + 1), "a"),
    ];
    expect(new Set(children.map((k) => `${k.k0},${k.k1}`)).size).toBe(children.length);
  });

  test("10,000 children of one key start differently", () => {
    const starts = Array.from({ length: 10_000 }, (_, i) =>
      uniforms(fold(keyFromSeed(1), "child", i))(),
    );
    expect(new Set(starts).size).toBe(starts.length);
  });

  test("a seed that is no whole number is refused", () => {
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => keyFromSeed(seed)).toThrow(expect.objectContaining({ code: "domain" }));
    }
    expect(() => fold(keyFromSeed(1), -1)).toThrow(expect.objectContaining({ code: "domain" }));
  });

  test("streams are fixed for good: results files depend on them", () => {
    expect(take(uniforms(keyFromSeed(1)), 2)).toMatchInlineSnapshot(`
      [
        0.8902591757080309,
        0.585725953513891,
      ]
    `);
    expect(take(normals(fold(keyFromSeed(1), "label", 3)), 2)).toMatchInlineSnapshot(`
      [
        1.260241824386686,
        -1.028668755623939,
      ]
    `);
  });
});

/** Two-sided bound of 5 standard errors. */
const within = (value: number, expected: number, standardError: number) =>
  expect(Math.abs(value - expected)).toBeLessThan(5 * standardError);

test("uniforms have the mean and variance of U(0,1) within 5 standard errors", () => {
  const n = 100_000;
  const u = take(uniforms(fold(keyFromSeed(1), "uniform")), n);
  within(u.reduce((s, v) => s + v, 0) / n, 0.5, Math.sqrt(1 / 12 / n));
  within(u.reduce((s, v) => s + (v - 0.5) ** 2, 0) / n, 1 / 12, Math.sqrt(1 / 180 / n));
  expect(Math.min(...u.slice(0, 10_000))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...u.slice(0, 10_000))).toBeLessThan(1);
});

test("normals have the first four moments of N(0,1) and uncorrelated neighbours", () => {
  const n = 100_000;
  const z = take(normals(fold(keyFromSeed(1), "normal")), n);
  const mean = (f: (v: number, i: number) => number) => z.reduce((s, v, i) => s + f(v, i), 0) / n;
  within(
    mean((v) => v),
    0,
    Math.sqrt(1 / n),
  );
  within(
    mean((v) => v ** 2),
    1,
    Math.sqrt(2 / n),
  );
  within(
    mean((v) => v ** 3),
    0,
    Math.sqrt(15 / n),
  );
  within(
    mean((v) => v ** 4),
    3,
    Math.sqrt(96 / n),
  );
  within(
    mean((v, i) => (i % 2 ? v * z[i - 1] : 0)),
    0,
    Math.sqrt(0.5 / n),
  );
});

test("filling an array gives the stream's normals, for even and odd lengths", () => {
  for (const length of [0, 1, 2, 7]) {
    const out = new Float64Array(length);
    normalInto(out, keyFromSeed(5));
    expect([...out]).toEqual(take(normals(keyFromSeed(5)), length));
  }
});

test("normals are Box and Muller's of the key's uniforms, to rounding", () => {
  const next = normals(keyFromSeed(3));
  const uniform = uniforms(keyFromSeed(3));
  for (let i = 0; i < 1000; i++) {
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    expect(Math.abs(next() - radius * Math.cos(angle))).toBeLessThan(1e-14);
    expect(Math.abs(next() - radius * Math.sin(angle))).toBeLessThan(1e-14);
  }
});

test("two streams may be drawn in turns", () => {
  const [a, b] = [normals(keyFromSeed(1)), normals(keyFromSeed(2))];
  const turns = Array.from({ length: 6 }, (_, i) => (i % 2 ? b() : a()));
  const [a1, a2, a3] = take(normals(keyFromSeed(1)), 3);
  const [b1, b2, b3] = take(normals(keyFromSeed(2)), 3);
  expect(turns).toEqual([a1, b1, a2, b2, a3, b3]);
});

test("a permutation is a permutation", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 50 }), (seed, n) => {
      const sorted = [...permutation(keyFromSeed(seed), n)].sort((a, b) => a - b);
      expect(sorted).toEqual([...Array(n).keys()]);
    }),
    { seed: 1 },
  );
});

test("all 24 orders of four come equally often", () => {
  const counts = new Map<string, number>();
  const trials = 24_000;
  for (let i = 0; i < trials; i++) {
    const order = permutation(fold(keyFromSeed(1), "orders", i), 4).join();
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(24);
  for (const count of counts.values()) within(count, 1000, Math.sqrt(1000));
});

test("a subsample is sorted, distinct and of the size asked for, each member equally often", () => {
  const counts = new Float64Array(10);
  const trials = 10_000;
  for (let i = 0; i < trials; i++) {
    const rows = subsample(fold(keyFromSeed(1), "sub", i), 10, 3);
    expect(rows.length).toBe(3);
    expect(rows[0] < rows[1] && rows[1] < rows[2] && rows[2] < 10).toBe(true);
    for (const row of rows) counts[row]++;
  }
  for (const count of counts) within(count, 0.3 * trials, Math.sqrt(trials * 0.3 * 0.7));
  expect(() => subsample(keyFromSeed(1), 3, 4)).toThrow(
    "subsample: needs a size from 0 to 3, got 4",
  );
});
