import { afterAll, describe, expect, test } from "vitest";
import { type EffectSizes, effectSizes } from "../../../src/effects/index.ts";
import { effectsOfColumnBlocks } from "../../../src/explain/index.ts";
import { matrix } from "../../../src/linalg/index.ts";
import { closeWorkers } from "../../../src/parallel/index.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../../src/random/index.ts";

afterAll(closeWorkers);

const [n, l] = [60, 3];
const normal = normals(fold(keyFromSeed(5), "blocks"));
const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, normal);
const hidden = matrix(n, l, numbers(n * l));
const weights = { mean: numbers(l), covariance: Float64Array.of(0.5, 1, 2) };

/** Columns `from` … `to` − 1 of X. */
function columns(
  X: ReturnType<typeof matrix>,
  from: number,
  to: number,
): ReturnType<typeof matrix> {
  const out = matrix(X.rows, to - from);
  for (let i = 0; i < X.rows; i++)
    out.data.set(X.data.subarray(i * X.cols + from, i * X.cols + to), i * out.cols);
  return out;
}

/** Every number within 10^−12 of what it should be. */
function expectSame(effects: EffectSizes, expected: EffectSizes): void {
  const close = (found: Float64Array, wanted: Float64Array): void => {
    expect(found.length).toBe(wanted.length);
    for (const [k, value] of found.entries()) expect(value).toBeCloseTo(wanted[k], 12);
  };
  expect(effects.names).toEqual(expected.names);
  close(effects.mean, expected.mean);
  close(effects.factor.data, expected.factor.data);
  close(effects.noise!, expected.noise!);
}

describe("effects of blocks of columns", () => {
  const X = matrix(n, 7, numbers(n * 7));
  const whole = effectSizes(X, hidden, weights, { noiseVariance: 0.3 });
  const blocks = [columns(X, 0, 3), columns(X, 3, 4), columns(X, 4, 7)];

  test.each([0, 1, 2, 3])("are those of the whole table, with %i workers", async (workers) => {
    const effects = await effectsOfColumnBlocks(blocks, hidden, weights, {
      noiseVariance: 0.3,
      workers,
    });
    expectSame(effects, whole);
    const alone = await effectsOfColumnBlocks(blocks, hidden, weights, {
      noiseVariance: 0.3,
      workers: 0,
    });
    expect(effects).toEqual(alone);
  });

  test("of genotypes are those of their numbers, a missing one at its column's mean", async () => {
    const uniform = uniforms(fold(keyFromSeed(6), "genotypes"));
    const snps = 4;
    // PLINK's two bits: 00 two copies of the first allele, 10 one, 11 none, 01 missing.
    const codes = { 2: 0b00, 1: 0b10, 0: 0b11 };
    const bed = new Uint8Array(snps * (n / 4));
    const dense = matrix(n, snps);
    for (let j = 0; j < snps; j++) {
      const seen: (number | null)[] = Array.from({ length: n }, () =>
        uniform() < 0.1 ? null : Math.floor(3 * uniform()),
      );
      const present = seen.filter((copies) => copies !== null);
      const mean = present.reduce((sum, copies) => sum + copies, 0) / present.length;
      seen.forEach((copies, i) => {
        dense.data[i * snps + j] = copies ?? mean;
        const code = copies === null ? 0b01 : codes[copies as 0 | 1 | 2];
        bed[j * (n / 4) + (i >> 2)] |= code << (2 * (i & 3));
      });
    }
    const expected = effectSizes(dense, hidden, weights, { noiseVariance: 1 });
    const effects = await effectsOfColumnBlocks([{ bed, snps, samples: n }], hidden, weights, {
      noiseVariance: 1,
      workers: 0,
    });
    expectSame(effects, expected);
  });
});
