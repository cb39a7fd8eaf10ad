import type { Mice } from "./read-mice.ts";

export interface XCalls {
  /** SNPs on the X chromosome. */
  readonly snps: number;
  /** Of the calls there, the share with one copy of each allele, in males and in females. */
  readonly males: number;
  readonly females: number;
}

/** Heterozygous calls on X: males have one X, so theirs are errors of calling or of the map. */
export function xCalls({ variants, genotypes, mice, sex }: Mice): XCalls {
  const male = sex.levels.indexOf("M");
  const calls = { males: 0, females: 0 };
  const heterozygous = { males: 0, females: 0 };
  let snps = 0;
  variants.forEach(({ chromosome }, v) => {
    if (chromosome !== "X") return;
    snps++;
    for (let i = 0; i < mice; i++) {
      const of = sex.codes[i] === male ? "males" : "females";
      calls[of]++;
      if (genotypes[v * mice + i] === 1) heterozygous[of]++;
    }
  });
  return {
    snps,
    males: heterozygous.males / calls.males,
    females: heterozygous.females / calls.females,
  };
}
