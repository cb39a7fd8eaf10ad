import { expect, test } from "vitest";
import { findingsOf, quickFindings } from "../../src/mice/findings.ts";
import type { Gene } from "../../src/mice/genes.ts";
import { choicesOf, methodOf } from "../../src/mice/method.ts";
import type { Mice } from "../../src/mice/read-mice.ts";
import type { TraitAnswer } from "../../src/mice/trait-answer.ts";
import { traitPlans } from "../../src/mice/trait-plan.ts";
import { xCalls } from "../../src/mice/x-chromosome.ts";
import type { StudyContext } from "../../src/study/study.ts";

const category = (...levels: string[]) => ({
  ...({ kind: "category", name: "c", levels } as const),
  codes: Int32Array.from({ length: 4 }, (_, i) => i % levels.length),
});
/** Two females and two males, a SNP of chromosome 1, one without a place, two of X. */
const mice = {
  ...{ mice: 4, sex: category("F", "M"), cage: category("a"), litter: ["1", "1", "2", "2"] },
  variants: [
    { chromosome: "1", position: 5 },
    { chromosome: "2", position: 0 },
    { chromosome: "X", position: 5 },
    { chromosome: "X", position: 6 },
  ],
  genotypes: Int8Array.of(1, 1, 1, 1, 0, 1, 2, 0, 1, 1, 1, 2, 0, 2, 0, 0),
} as unknown as Mice;
const genes = [
  { name: "Aa", symbols: ["Aa"], members: [0], place: { chromosome: "1", position: 170e6 } },
] as Gene[];
const sizes = {
  ...{ epochs: 1, splits: 1, permutations: 20, trees: 1 },
  refits: 1,
  otherSplits: 0,
};

test("heterozygous calls on X are counted by sex", () => {
  // Females are the first and third mouse: 1, 1 and 0, 0; males the others: 1, 2 and 2, 0.
  expect(xCalls(mice)).toEqual({ snps: 2, males: 0.25, females: 0.5 });
});

test("the method tells what ran and nothing else", () => {
  const told = (small: boolean) =>
    methodOf({ ...{ mice, genes, sizes, small }, sets: new Map(), covariates: [] }).join(" ");
  const [small, whole] = [told(true), told(false)];
  for (const absent of [
    "Mimics",
    "Knockoffs",
    "as many permuted within litters",
    "RATE step",
    "rarer allele",
  ]) {
    expect(small).not.toContain(absent);
    expect(whole).toContain(absent);
  }
  expect(small).toContain("trained anew on one permuted trait, for the paper's rule");
  for (const text of [small, whole]) {
    expect(text).toContain("X chromosome (2 SNPs)");
    expect(text).toContain("25% of their calls there are heterozygous (50% of the females')");
    expect(text).toContain("Positions are of GRCm38. 1 SNPs have none");
    expect(text).toContain("Ridge regression");
  }
  expect(choicesOf({ small: false }).join()).toContain("the line on the genes around Apoa2");
  expect(choicesOf({ small: true }).join()).not.toContain("the line on the genes around Apoa2");
});

const nullOf = (p: number) => ({ pValues: Float64Array.of(p), qValues: Float64Array.of(p) });
const trait = {
  plan: traitPlans[0],
  result: {
    ...{ mice: 2000, common: 3, correlations: [0.5, 0.7], sizeCorrelation: 0.3, rateSeconds: 1 },
    others: [{ covariate: "cage", explained: 0, correlations: [-0.1, -0.02] }],
    rate: Float64Array.of(1),
    nulls: { all: nullOf(0.01), litter: nullOf(0.01), shares: nullOf(0.5) },
    ...{ enriched: [], mimics: null, mimicSets: null, refits: null, knockoffs: null },
    control: { above: [1, 2], enriched: [[], ["A"]] },
  },
  linear: {
    correlations: [0.4, 0.61],
    others: [{ covariate: "cage", correlations: [0.1, 0.2] }],
  },
} as unknown as TraitAnswer;

test("network and ridge regression stand side by side, one sign and precision throughout", () => {
  const processorSeconds = {
    "Biochem.HDL: train": 60,
    "Biochem.HDL: ridge regression": 120,
    "Biochem.HDL: groupRATE": 6,
  };
  const context = { seconds: processorSeconds, processorSeconds } as unknown as StudyContext;
  const rows = findingsOf(trait, genes, context);
  const of = (what: string) => rows.find((row) => row.what === `HDL: ${what}`)!;
  const splits = "mean and standard error of 2 splits";
  expect(of(`correlation, network, ${splits}`).ours).toBe("0.600 ± 0.100");
  expect(of(`correlation, ridge regression, ${splits}`).ours).toBe("0.505 ± 0.105");
  expect(of(`network less ridge, ${splits}`).ours).toBe("0.095 ± 0.005");
  expect(of(`correlation, network, cage taken out too, ${splits}`).ours).toBe("−0.060 ± 0.040");
  expect(of("genes above 1/G with the trait permuted, mean of 2").ours).toBe(2);
  // Ridge regression is none of the paper's work.
  const minutes = rows.filter(({ what }) => what.includes("minutes of processors"));
  expect(minutes.map(({ ours }) => ours)).toEqual([1.1, 2]);
  expect(rows.filter(({ settledAfterwards }) => settledAfterwards).map(({ what }) => what)).toEqual(
    ["HDL: genes around Apoa2 among those within litters"],
  );
});

test("bars of the quick version are those that permuted traits miss", () => {
  const rows = quickFindings(trait, genes);
  expect(rows.filter(({ bar }) => bar !== null).map(({ what }) => what)).toEqual([
    "HDL: correlation in held-out mice",
    "HDL: least p-value around Apoa2, against permuted traits",
    "HDL: genes at q ≤ 0.1, against permuted traits",
  ]);
  expect(rows.map(({ what }) => what)).toContain("HDL: Spearman of groupRATE and SNPs in the gene");
});
