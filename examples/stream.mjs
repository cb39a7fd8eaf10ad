// Genotypes larger than memory: train and rank from a PLINK .bed file in blocks, two bits for each genotype.
import { readFile } from "node:fs/promises";
import { keyFromSeed, ranked, rate } from "@ratewise/core";
import { parseBim, parseFam, variantNames } from "@ratewise/core/data";
import { refitLastLayer } from "@ratewise/core/posterior";
import {
  bedSource,
  openFile,
  planStream,
  projectedEffectsInPlace,
  streamFit,
  streamProjection,
} from "@ratewise/core/stream";

const people = parseFam(await readFile("data/genotypes.fam", "utf8"));
const variants = parseBim(await readFile("data/genotypes.bim", "utf8"));
const trait = Float64Array.from(people, ({ phenotype }) => phenotype);

const file = await openFile("data/genotypes.bed");
const size = { samples: people.length, snps: variants.length, names: variantNames(variants) };
const source = await bedSource(file, { where: "genotypes.bed", ...size });

const hidden = [16, 8];
const plan = planStream(source, { width: hidden.at(-1), memory: 2 ** 29 });
const network = await streamFit(source, trait, { key: keyFromSeed(1), plan, hidden });
const { posterior, noiseVariance } = refitLastLayer(network.hidden, trait, { link: "identity" });

const projected = await streamProjection(source, network.hidden, { plan });
const effects = projectedEffectsInPlace(projected, posterior.outputs[0], { noiseVariance });
for (const v of ranked(rate(effects)).slice(0, 5)) console.log(v.rank, v.name, v.rate.toFixed(3));
await file.close();
