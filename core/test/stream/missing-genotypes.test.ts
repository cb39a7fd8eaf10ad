import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { writeNpy } from "../../src/data/index.ts";
import { projectCovariance, projectedEffects } from "../../src/effects/index.ts";
import { bytesInMemory } from "../../src/host/byte-source.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, permutation } from "../../src/random/index.ts";
import { rate } from "../../src/rate/index.ts";
import {
  type BlockSource,
  blockRoom,
  npySource,
  planStream,
  projectedEffectsInPlace,
  rowSubset,
  streamProjection,
} from "../../src/stream/index.ts";
import { diagonalWeights } from "../effects/tables.ts";
import { expectClose } from "../support/close.ts";
import { bedOf, numbers } from "./tables.ts";

afterAll(closeWorkers);

/** Copies by code; code 1 is missing. */
const COPIES = [2, Number.NaN, 1, 0];

/** Codes, n×p, as the bytes of a .bed file. */
function bytesOf(codes: readonly number[], n: number, p: number): Uint8Array {
  const stride = Math.ceil(n / 4);
  const bytes = new Uint8Array(3 + p * stride);
  bytes.set([0x6c, 0x1b, 1]);
  codes.forEach((code, e) => {
    const [i, j] = [Math.floor(e / p), e % p];
    bytes[3 + j * stride + (i >> 2)] |= code << (2 * (i & 3));
  });
  return bytes;
}

/** Some rows of the table, missing genotypes at the mean of the others in these rows, 0 where there is none; and the means. */
function filled(codes: readonly number[], p: number, rows: readonly number[]) {
  const X = matrix(rows.length, p);
  const means = new Float64Array(p);
  for (let j = 0; j < p; j++) {
    const column = rows.map((i) => COPIES[codes[i * p + j]]);
    const known = column.filter((value) => !Number.isNaN(value));
    means[j] = known.reduce((sum, value) => sum + value, 0) / known.length;
    column.forEach((value, i) => {
      X.data[i * p + j] = Number.isNaN(value) ? means[j] || 0 : value;
    });
  }
  return { X, means };
}

const tables = fc
  .record({ n: fc.integer({ min: 3, max: 40 }), p: fc.integer({ min: 2, max: 30 }) })
  .chain(({ n, p }) =>
    fc.record({
      ...{ n: fc.constant(n), p: fc.constant(p) },
      // Shares of missing genotypes a variant: none, some, all.
      missing: fc.array(fc.constantFrom(0, 0.1, 0.5, 0.9, 1), { minLength: p, maxLength: p }),
      draws: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
        minLength: n * p,
        maxLength: n * p,
      }),
      codes: fc.array(fc.constantFrom(0, 2, 3), { minLength: n * p, maxLength: n * p }),
      kept: fc.uniqueArray(fc.integer({ min: 0, max: n - 1 }), { minLength: 2, maxLength: n }),
      by: fc.constantFrom("columns" as const, "rows" as const),
      blockSize: fc.integer({ min: 1, max: 45 }),
      seed: fc.nat(),
    }),
  );

describe("genotypes of which some are missing", () => {
  test("stream to what the table filled with means is in memory, whatever is missing, by either plan, in any order, of any rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        async ({ n, p, missing, draws, codes: known, kept, by, blockSize, seed }) => {
          const codes = known.map((code, e) => (draws[e] < missing[e % p] ? 1 : code));
          const all = await bedOf(bytesOf(codes, n, p), n, p);
          const some = Uint32Array.from(kept).sort();
          const cases: [BlockSource, number[]][] = [
            [all, Array.from({ length: n }, (_, i) => i)],
            [rowSubset(all, some), [...some]],
          ];
          for (const [source, rows] of cases) {
            const { X, means } = filled(codes, p, rows);
            const H = numbers(seed, "hidden", rows.length, 3);
            const total = by === "columns" ? p : rows.length;
            const size = Math.min(blockSize, total);
            const plan = { by, blockSize: size, blocks: Math.ceil(total / size) };
            const order = [...permutation(fold(keyFromSeed(seed), "order"), plan.blocks)];
            const got = await streamProjection(source, H, { plan, order });
            const expected = projectCovariance(X, H);
            expectClose(got.hidden.data, expected.hidden.data, { rtol: 1e-10, atol: 1e-12 });
            expectClose(got.squaredNorms, expected.squaredNorms, { rtol: 1e-10, atol: 1e-14 });
            means.forEach((mean, j) => {
              if (Number.isNaN(mean)) expect(got.columnMeans[j]).toBeNaN();
              else expect(got.columnMeans[j]).toBeCloseTo(mean, 12);
            });
          }
        },
      ),
      { seed: 12, numRuns: 150 },
    );
  });

  test("have the same RATE by columns, by rows and in memory", async () => {
    const [n, p, l] = [61, 37, 5];
    const order = permutation(fold(keyFromSeed(5), "codes"), n * p);
    const codes = Array.from(order, (e) => e % 4);
    const H = numbers(2, "hidden", n, l);
    const weights = diagonalWeights(4, l);
    const rates = (projected: Parameters<typeof projectedEffectsInPlace>[0]) =>
      rate(projectedEffectsInPlace(projected, weights, { noiseVariance: 0.3 })).variables.rate;
    const everyone = Array.from({ length: n }, (_, i) => i);
    const { X } = filled(codes, p, everyone);
    const expected = rate(
      projectedEffects(projectCovariance(X, H), weights, { noiseVariance: 0.3 }),
    ).variables.rate;
    for (const [by, blocks] of [
      ["columns", 5],
      ["rows", 8],
    ] as const) {
      const source = await bedOf(bytesOf(codes, n, p), n, p);
      const got = await streamProjection(source, H, { plan: { by, blockSize: 8, blocks } });
      expectClose(rates(got), expected, { rtol: 1e-10 });
    }
  });

  test("are read in more than one piece where a row is long", async () => {
    // 70,000 variants of 64 samples are 1.1 MB, and a piece is 1 MB.
    const [n, p] = [64, 70_000];
    const bytes = new Uint8Array(3 + p * 16);
    bytes.set([0x6c, 0x1b, 1]);
    // One known genotype a variant, of sample j mod 64: two copies of a third of the variants, one of another.
    for (let j = 0; j < p; j++) {
      bytes.fill(0b01010101, 3 + j * 16, 3 + (j + 1) * 16);
      const at = 3 + j * 16 + ((j % 64) >> 2);
      const shift = 2 * (j & 3);
      bytes[at] = (bytes[at] & ~(3 << shift)) | ([0, 2, 3][j % 3] << shift);
    }
    const source = await bedOf(bytes, n, p);
    const { data } = await source.readRows({ start: 7, end: 9 }, blockRoom());
    for (const j of [0, 1, 2, 7, 8, 65_535, 65_536, 65_537, p - 1])
      expect([data[j], data[p + j]]).toEqual([2 - (j % 3), 2 - (j % 3)]);
  });
});

test("rows of genotypes are planned as numbers of eight bytes, and read the file once a block", async () => {
  const [n, p] = [4_000, 1_000];
  const source = await bedOf(bytesOf(Array(n * p).fill(2), n, p), n, p);
  const plan = planStream(source, { width: 4, by: "rows", blockSize: 500 });
  expect(plan.blocks).toBe(8);
  expect(plan.read).toBe(8 * (n / 4) * p);
  const smaller = planStream(source, { width: 4, by: "rows", blockSize: 250 });
  expect(plan.memory - smaller.memory).toBe(2 * 8 * 250 * p);
});

test("a number that is missing in an array is refused by its place, by either plan: what to fill it with is not ours to say", async () => {
  const X: Matrix = numbers(1, "X", 9, 6);
  X.data[4 * 6 + 2] = Number.NaN;
  const source = await npySource(bytesInMemory(writeNpy({ shape: [9, 6], data: X.data })), {
    where: "x.npy",
  });
  for (const by of ["columns", "rows"] as const)
    await expect(
      streamProjection(source, numbers(2, "H", 9, 2), {
        plan: { by, blockSize: 3, blocks: by === "rows" ? 3 : 2 },
      }),
    ).rejects.toThrow("got NaN or infinity in row 4, column 2");
});
