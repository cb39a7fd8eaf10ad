import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fold, keyFromSeed, matrix, normals, uniforms } from "@ratewise/core";
import { effectSizes } from "@ratewise/core/effects";
import { afterAll, describe, expect, test } from "vitest";
import { bedBlock } from "../src/bed-block.ts";
import { effectsOfBedFile } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "ratewise-bed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [n, p, l] = [22, 9, 3];
const snpBytes = Math.ceil(n / 4);
const uniform = uniforms(fold(keyFromSeed(1), "genotypes"));
const normal = normals(fold(keyFromSeed(1), "hidden"));
const bed = new Uint8Array(3 + p * snpBytes);
bed.set([0x6c, 0x1b, 1]);
const dense = matrix(n, p);
for (let j = 0; j < p; j++)
  for (let i = 0; i < n; i++) {
    const copies = Math.floor(3 * uniform());
    dense.data[i * p + j] = copies;
    bed[3 + j * snpBytes + (i >> 2)] |= [3, 2, 0][copies] << (2 * (i & 3));
  }
const file = join(folder, "x.bed");
writeFileSync(file, bed);
const hidden = matrix(n, l, Float64Array.from({ length: n * l }, normal));
const weights = {
  mean: Float64Array.from({ length: l }, normal),
  covariance: Float64Array.of(1, 2, 3),
};

test.each([1, 4, 9, 2000])(
  "effects of a .bed file in blocks of %i are those of its numbers",
  async (blockSize) => {
    const effects = await effectsOfBedFile(file, hidden, weights, {
      blockSize,
      noiseVariance: 0.5,
    });
    const expected = effectSizes(dense, hidden, weights, { noiseVariance: 0.5 });
    expect(effects.names).toEqual(expected.names);
    for (const [k, value] of effects.mean.entries())
      expect(value).toBeCloseTo(expected.mean[k], 12);
    for (const [k, value] of effects.factor.data.entries())
      expect(value).toBeCloseTo(expected.factor.data[k], 12);
    for (const [k, value] of effects.noise!.entries())
      expect(value).toBeCloseTo(expected.noise![k], 12);
  },
);

describe("a block", () => {
  const context = { id: "" };
  const block = {
    file,
    bytes: bed.length,
    modified: 1_000_000,
    samples: n,
    first: 0,
    snps: 2,
    hidden,
    engine: "plain",
  };
  utimesSync(file, 1000, 1000);

  test("of the file that the driver saw is read", async () => {
    const { product } = await bedBlock.run(block, context);
    expect([product.rows, product.cols]).toEqual([2, l]);
  });

  test.each([
    ["a file that has changed", { modified: 1_000_001 }, "another one"],
    ["a file of another size", { bytes: 5 }, "another one"],
    ["variants past the end", { first: p }, "cut off"],
    ["a relative path", { file: "x.bed" }, "no path of a .bed file"],
    ["another kind of file", { file: "/etc/passwd" }, "no path of a .bed file"],
  ])("of %s is refused", async (_, change, message) => {
    await expect(bedBlock.run({ ...block, ...change }, context)).rejects.toThrow(message);
  });
});

test("a file whose size does not fit the samples is told of", async () => {
  const other = matrix(n + 4, l);
  await expect(effectsOfBedFile(file, other, weights)).rejects.toThrow(
    "needs a file of 26 samples",
  );
});
