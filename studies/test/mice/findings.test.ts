import { expect, test } from "vitest";
import type { TraitAnswer } from "../../src/mice/baseline.ts";
import { findingsOf, quickFindings } from "../../src/mice/findings.ts";
import type { Gene } from "../../src/mice/genes.ts";
import { traitPlans } from "../../src/mice/trait-plan.ts";
import type { StudyContext } from "../../src/study/study.ts";

const genes = [
  { name: "Aa", symbols: ["Aa"], members: [0], place: { chromosome: "1", position: 170e6 } },
] as Gene[];
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

test("network and ridge regression stand side by side", () => {
  const processorSeconds = {
    "Biochem.HDL: train": 60,
    "Biochem.HDL: ridge regression": 120,
    "Biochem.HDL: groupRATE": 6,
  };
  const context = { seconds: processorSeconds, processorSeconds } as unknown as StudyContext;
  const rows = findingsOf(trait, genes, context);
  const of = (what: string) => rows.find((row) => row.what === `HDL: ${what}`)!;
  const near = (mean: number, error: number) => ({
    ...{ mean: expect.closeTo(mean, 12), error: expect.closeTo(error, 12) },
  });
  const splits = "mean and standard error of 2 splits";
  expect(of(`correlation, network, ${splits}`).ours).toEqual(near(0.6, 0.1));
  expect(of(`correlation, ridge regression, ${splits}`).ours).toEqual(near(0.505, 0.105));
  expect(of(`network less ridge, ${splits}`).ours).toEqual(near(0.095, 0.005));
  expect(of(`correlation, network, cage taken out too, ${splits}`).ours).toEqual(near(-0.06, 0.04));
  expect(of("genes above 1/G with the trait permuted, mean of 2").ours).toBe(2);
  expect(of("genes at the least p-value there, calibrated").ours).toBe(1);
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
