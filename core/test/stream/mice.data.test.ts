import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { genotypesOf, parseBim, parseFam, readBed } from "../../src/data/index.ts";
import { effectSizes } from "../../src/effects/index.ts";
import { matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { rate } from "../../src/rate/index.ts";
import {
  bedSource,
  openFile,
  planStream,
  projectedEffectsInPlace,
  streamProjection,
} from "../../src/stream/index.ts";
import { diagonalWeights } from "../effects/tables.ts";
import { expectClose } from "../support/close.ts";
import { numbers } from "./tables.ts";

afterAll(closeWorkers);

const folder = process.env.RATEWISE_DATA;

test("RATE of 10,346 variants of 1,814 mice, streamed from their .bed file, is that of the table in memory", async () => {
  if (folder === undefined)
    throw new Error("set RATEWISE_DATA to the folder that holds mice/hs_mice.bed");
  const path = (ending: string): string => join(folder, "mice", `hs_mice.${ending}`);
  const samples = parseFam(readFileSync(path("fam"), "utf8"), "fam").length;
  const snps = parseBim(readFileSync(path("bim"), "utf8"), "bim").length;
  const X = matrix(samples, snps);
  const genotypes = readBed(new Uint8Array(readFileSync(path("bed"))), samples, snps);
  for (let j = 0; j < snps; j++) {
    const copies = genotypesOf(genotypes, j);
    for (let i = 0; i < samples; i++) X.data[i * snps + j] = copies[i];
  }
  const H = numbers(1, "hidden", samples, 16);
  const weights = diagonalWeights(2, 16);
  const expected = rate(effectSizes(X, H, weights, { noiseVariance: 0.5 }));

  const file = await openFile(path("bed"));
  const source = await bedSource(file, { where: path("bed"), samples, snps });
  const plan = planStream(source, { width: 16, blockSize: 1000 });
  expect(plan.blocks).toBe(11);
  const order = [10, 3, 7, 0, 1, 9, 2, 8, 4, 6, 5];
  const projected = await streamProjection(source, H, { plan, order });
  await file.close();
  const got = rate(projectedEffectsInPlace(projected, weights, { noiseVariance: 0.5 }));
  expectClose(got.variables.rate, expected.variables.rate, { rtol: 1e-10, atol: 1e-16 });
  expectClose(got.variables.sd, expected.variables.sd, { rtol: 1e-10 });
}, 120_000);
