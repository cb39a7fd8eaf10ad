import { fold, keyFromSeed, normals, uniforms } from "@ratewise/core";
import type { Example } from "./example.ts";

const SAMPLES = 1000;
const CHROMOSOMES = 5;
const VARIANTS = 60;
/** Where the next variant copies the last one, chromosome by chromosome: neighbours are correlated. */
const COPIED = 0.85;
/** Index of each causal variant, and its effect a copy. */
const CAUSAL: readonly (readonly [variant: number, effect: number])[] = [
  [27, 0.8],
  [96, -0.7],
  [155, 0.6],
  [281, 0.7],
];

/** 1,000 people with 300 variants on five chromosomes; four of them move the trait. */
export function simulatedGenotypes(): Example {
  const key = keyFromSeed(1);
  const normal = normals(fold(key, "genotypes", "normal"));
  const uniform = uniforms(fold(key, "genotypes", "uniform"));
  const count = CHROMOSOMES * VARIANTS;
  const frequency = Float64Array.from({ length: count }, () => 0.15 + 0.35 * uniform());
  const copies = new Uint8Array(SAMPLES * count);
  for (let i = 0; i < SAMPLES; i++)
    for (let strand = 0; strand < 2; strand++) {
      let level = 0;
      for (let v = 0; v < count; v++) {
        if (v % VARIANTS === 0 || uniform() > COPIED) level = uniform();
        copies[i * count + v] += level < frequency[v] ? 1 : 0;
      }
    }
  const fam = Array.from({ length: SAMPLES }, (_, i) => {
    const genetic = CAUSAL.reduce((sum, [v, effect]) => sum + effect * copies[i * count + v], 0);
    const trait = genetic + 1.1 * normal();
    return `F${i + 1} I${i + 1} 0 0 ${1 + (i % 2)} ${trait.toFixed(4)}`;
  });
  const bim = Array.from({ length: count }, (_, v) => {
    const [chromosome, at] = [1 + Math.floor(v / VARIANTS), v % VARIANTS];
    return `${chromosome}\trs${1000 + v}\t0\t${50_000 + 42_000 * at}\tA\tG`;
  });
  return {
    files: [
      new File([bedOf(copies, count) as BlobPart], "people.bed"),
      new File([`${bim.join("\n")}\n`], "people.bim"),
      new File([`${fam.join("\n")}\n`], "people.fam"),
    ],
    settings: { data: "people.bed", groups: { kind: "own", groups: regionsOf(count) } },
  };
}

/** Two bits per sample, variant by variant: copies of A1 as 00 (two), 10 (one) and 11 (none). */
function bedOf(copies: Uint8Array, count: number): Uint8Array {
  const stride = Math.ceil(SAMPLES / 4);
  const bed = new Uint8Array(3 + count * stride);
  bed.set([0x6c, 0x1b, 1]);
  for (let v = 0; v < count; v++)
    for (let i = 0; i < SAMPLES; i++)
      bed[3 + v * stride + (i >> 2)] |= [3, 2, 0][copies[i * count + v]] << (2 * (i & 3));
  return bed;
}

/** Ten neighbours a region, called after the chromosome and the region's number. */
function regionsOf(count: number): Record<string, string[]> {
  const regions: Record<string, string[]> = {};
  for (let v = 0; v < count; v++) {
    const name = `chr${1 + Math.floor(v / VARIANTS)} region ${1 + Math.floor((v % VARIANTS) / 10)}`;
    regions[name] = [...(regions[name] ?? []), `rs${1000 + v}`];
  }
  return regions;
}
