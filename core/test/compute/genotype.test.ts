import { afterAll, describe, expect, test } from "vitest";
import { multiplyGenotypes } from "../../src/compute/genotype.ts";
import { useThreads } from "../../src/compute/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { fold, keyFromSeed, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { expectSameBytes, gaussian, type Precision, within } from "./random-arrays.ts";

afterAll(closeWorkers);

/** Copies of the first allele by code; 1 is missing. */
const dosage = [2, Number.NaN, 1, 0];

/** Codes drawn at random, `missing` of them code 1, and their .bed bytes. */
function genotypes(snps: number, samples: number, missing: number) {
  const next = uniforms(fold(keyFromSeed(5), "genotypes"));
  const snpBytes = Math.ceil(samples / 4);
  const bed = new Uint8Array(snps * snpBytes);
  const X = new Float64Array(snps * samples);
  for (let s = 0; s < snps; s++)
    for (let i = 0; i < samples; i++) {
      const code = next() < missing ? 1 : [0, 2, 3][Math.floor(3 * next())];
      bed[s * snpBytes + (i >> 2)] |= code << (2 * (i & 3));
      X[s * samples + i] = dosage[code];
    }
  return { bed, X };
}

function naiveProduct(
  X: Float64Array,
  snps: number,
  samples: number,
  H: ArrayLike<number>,
  l: number,
  centred: boolean,
) {
  const product = new Float64Array(snps * l);
  const stats = {
    sum: new Float64Array(snps),
    squares: new Float64Array(snps),
    missing: new Float64Array(snps),
  };
  for (let s = 0; s < snps; s++) {
    const x = X.subarray(s * samples, (s + 1) * samples);
    const observed = x.filter((value) => !Number.isNaN(value));
    for (const value of observed) {
      stats.sum[s] += value;
      stats.squares[s] += value * value;
    }
    stats.missing[s] = samples - observed.length;
    const mean = observed.length > 0 ? stats.sum[s] / observed.length : 0;
    for (let i = 0; i < samples; i++) {
      const value = (Number.isNaN(x[i]) ? mean : x[i]) - (centred ? mean : 0);
      for (let k = 0; k < l; k++) product[s * l + k] += value * H[i * l + k];
    }
  }
  return { product, ...stats };
}

describe.each(["f32", "f64"] satisfies Precision[])("%s", (precision) => {
  test.each([
    [1, 1, 1],
    [3, 5, 2],
    [65, 300, 7],
    [70, 1027, 17],
  ])("%i SNPs of %i samples times H of %i columns, decoded one by one", (snps, samples, l) => {
    const { bed, X } = genotypes(snps, samples, 0.1);
    const H = gaussian(precision, samples * l, "H");
    for (const centred of [false, true]) {
      const got = multiplyGenotypes({ bed, snps, samples }, H, l, { centred });
      const expected = naiveProduct(X, snps, samples, H, l, centred);
      expectClose(got.product, expected.product, within(precision, expected.product));
      expectClose(got.sum, expected.sum, { rtol: 0 });
      expectClose(got.sumOfSquares, expected.squares, { rtol: 0 });
      expectClose(got.missing, expected.missing, { rtol: 0 });
    }
  });
});

test("a SNP with nothing observed has product 0", () => {
  const { bed } = genotypes(1, 9, 1);
  const got = multiplyGenotypes({ bed, snps: 1, samples: 9 }, gaussian("f64", 18, "H"), 2);
  expect([...got.product]).toEqual([0, 0]);
  expect([...got.missing]).toEqual([9]);
});

test("1, 2 and 3 threads give the same bytes", async () => {
  const [snps, samples, l] = [300, 1001, 16];
  const { bed } = genotypes(snps, samples, 0.05);
  const H = gaussian("f32", samples * l, "H");
  const products = [];
  for (const threads of [1, 2, 3]) {
    await useThreads(threads);
    products.push(multiplyGenotypes({ bed, snps, samples }, H, l, { centred: true }).product);
  }
  for (const product of products) expectSameBytes(product, products[0]);
});

test("sizes that disagree are refused", () => {
  const H = new Float64Array(8);
  expect(() => multiplyGenotypes({ bed: new Uint8Array(3), snps: 2, samples: 8 }, H, 1)).toThrow(
    "multiplyGenotypes: needs 2×2 bytes, got 3",
  );
  expect(() => multiplyGenotypes({ bed: new Uint8Array(4), snps: 2, samples: 8 }, H, 2)).toThrow(
    "multiplyGenotypes: needs H of 8×2, got 8 numbers",
  );
});
