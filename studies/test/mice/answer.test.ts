import { expect, test } from "vitest";
import { answerOf } from "../../src/mice/answer.ts";
import { apoa2 } from "../../src/mice/apoa2.ts";
import type { Baseline } from "../../src/mice/baseline.ts";
import { chance } from "../../src/mice/claim.ts";
import type { Gene } from "../../src/mice/genes.ts";
import { evenNumber, limitsOf } from "../../src/mice/limits.ts";
import type { TraitResult } from "../../src/mice/trait.ts";
import { traitPlans } from "../../src/mice/trait-plan.ts";

const genes = [170e6, 20e6, 30e6, 40e6].map((position, g) => ({
  ...{ name: `G${g}`, symbols: [`G${g}`], members: [g] },
  place: { chromosome: "1", position },
})) as unknown as Gene[];

const values = (...of: number[]) => Float64Array.from(of);
const nullOf = (...qValues: number[]) => ({
  pValues: values(...qValues),
  qValues: values(...qValues),
});

/** A trait of four genes, two above 1/G, one of them around Apoa2. */
const resultOf = (changes: {
  readonly within: number;
  readonly onNothing: readonly string[];
  readonly litter?: ReturnType<typeof nullOf>;
  readonly correlations?: readonly number[];
}): TraitResult =>
  ({
    ...{ mice: 2000, correlations: changes.correlations ?? [0.5, 0.7], sizeCorrelation: 0.3 },
    rate: values(0.4, 0.35, 0.15, 0.1),
    others: [
      {
        ...{ covariate: "cage", explained: 0.5 },
        correlations: [changes.within, changes.within + 0.2],
      },
      { covariate: "litter", explained: 0.5, correlations: [changes.within] },
    ],
    nulls: {
      all: nullOf(0.01, 0.01, 0.01, 0.5),
      litter: changes.litter ?? nullOf(0.01, 0.5, 0.5, 0.5),
      shares: nullOf(0.5, 0.5, 0.5, 0.5),
    },
    enriched: [{ set: "A" }, { set: "B" }, { set: "C" }, { set: "D" }],
    control: { above: [1, 3], enriched: [changes.onNothing, changes.onNothing] },
    ...{ refits: null, knockoffs: null, mimics: null, mimicSets: null },
  }) as unknown as TraitResult;

const linearOf = (...correlations: number[]): Baseline => ({
  correlations,
  others: [
    { covariate: "cage", correlations: [0.1, 0.3] },
    { covariate: "litter", correlations: [-0.1] },
  ],
});

/** The answer without the signs of bold words. */
const told = (result: TraitResult, linear = linearOf(0.4, 0.6), permuted = false) =>
  answerOf([{ plan: traitPlans[0], result, linear }], genes, permuted).map((line) =>
    line.replaceAll("**", ""),
  );

/** The small version: one split, one permuted trait, nothing with other covariates. */
const small = (correlation: number, litter = nullOf(0.5, 0.5, 0.5, 0.5)): TraitResult => ({
  ...resultOf({ within: 0, onNothing: [], litter, correlations: [correlation] }),
  others: [],
  control: { above: [3], enriched: [["V", "W"]] },
});

test("correlations have their standard errors, with cages and with litters taken out", () => {
  const [prediction] = told(resultOf({ within: -0.04, onNothing: [] }));
  expect(prediction).toContain(
    "predicted with a correlation of 0.600 ± 0.100 (mean and standard error of 2 splits of 2,000 mice)",
  );
  expect(prediction).toContain(
    "0.060 ± 0.100 with cages taken out too (2 splits), −0.04 with litters taken out too (one split)",
  );
});

test("likeness of relatives is named where more than half goes with families", () => {
  const [much] = told(resultOf({ within: -0.04, onNothing: [] }));
  expect(much).toContain("Much of that is likeness of relatives");
  const [little] = told(resultOf({ within: 0.4, onNothing: [] }));
  expect(little).not.toContain("Much of that");
});

test("the linear model stands beside the network, and is called better or worse by the splits", () => {
  const result = resultOf({ within: 0.2, onNothing: [] });
  const linear = (...correlations: number[]) => told(result, linearOf(...correlations))[1];
  // Of two splits Student's t is 12.7: 0.095 ± 0.005 is beyond, 0.095 ± 0.010 is not.
  expect(linear(0.4, 0.61)).toContain(
    "has 0.505 ± 0.105; 0.200 ± 0.100 with cages taken out too, −0.10 with litters taken out too. Network less ridge, split by split, is 0.095 ± 0.005: the network is better for HDL. With cages taken out it is 0.100 ± 0.000: the network is better for HDL. With litters taken out it is 0.30; one split does not tell which is better.",
  );
  expect(linear(0.6, 0.81)).toContain("−0.105 ± 0.005: ridge regression is better for HDL.");
  expect(linear(0.415, 0.595)).toContain("0.095 ± 0.010: neither is better beyond chance for HDL.");
  const pair = (...[hdl, bmi]: readonly Baseline[]) =>
    answerOf(
      [hdl, bmi].map((own, t) => ({ plan: traitPlans[t], result, linear: own })),
      genes,
      false,
    )[1];
  expect(pair(linearOf(0.4, 0.61), linearOf(0.6, 0.6))).toContain(
    "is 0.095 ± 0.005 and 0.000 ± 0.100: the network is better for HDL, neither is better beyond chance for BMI.",
  );
  const [, one] = told(small(0.59), { correlations: [0.62], others: [] });
  expect(one).toContain(
    "same SNPs and split (the predictions of GBLUP), has 0.62. Network less ridge is −0.03; one split does not tell",
  );
});

test("of one split and one permuted trait no means, ranges or runs of neighbours are told", () => {
  const [prediction, , rule, , locus, claim] = told(small(0.59), {
    ...{ correlations: [0.6], others: [] },
  });
  expect(prediction).toBe(
    "Prediction. HDL of mice never seen is predicted with a correlation of 0.59 (one split of 2,000 mice).",
  );
  expect(rule).toContain(
    "With one permuted trait, there being nothing to find in it, it takes 3. It seems to enrich 4 sets of dbGaP; with the permuted trait 2.",
  );
  expect(rule).not.toContain("often");
  expect(locus).toMatch(/: within litters no gene passes, so nothing is said of Apoa2 there\.$/);
  expect(claim).toContain("HDL can be predicted from these SNPs, families not taken into account.");
  expect(claim).toContain("Single genes are not established");
});

test("genes elsewhere alone are told without a p-value of the region", () => {
  const litter = nullOf(0.5, 0.01, 0.01, 0.5);
  const locus = told(resultOf({ within: 0.2, onNothing: [], litter }))[4];
  expect(locus).toMatch(/none of 1 genes is left within litters, of all genes 50\.0%\.$/);
});

test("of permuted traits it says that nothing should be found, and what was", () => {
  expect(chance({ mice: 2000 })).toBe(0.1);
  const lines = (result: TraitResult) => told(result, { correlations: [0.01], others: [] }, true);
  const none = { ...nullOf(0.5, 0.5, 0.5, 0.5) };
  const nothing = small(-0.04);
  const [control, ...rest] = lines({ ...nothing, nulls: { ...nothing.nulls, all: none } });
  expect(control).toContain(
    "HDL was permuted among the mice, so nothing should be found. Found was nothing: a correlation of −0.04 (chance gives up to ±0.10), and at a false discovery rate of 0.1 against permuted traits 0 genes, within litters 0.",
  );
  expect(control).toContain("takes 2 of 4 genes all the same");
  expect(rest.join()).not.toContain("What holds up");
  expect(lines(small(0.3))[0]).toContain("Found was more than that: a correlation of 0.30");
  expect(lines(nothing)[0]).toContain("Found was more than that");
});

test("sets that come out of permuted traits as often are no evidence, others may be", () => {
  const [, , rule, calibrated] = told(
    resultOf({ within: 0.2, onNothing: ["V", "W", "X", "Y", "Z"] }),
  );
  expect(rule).toContain("takes 2 of 4 genes (44 in the paper). With 2 permuted traits");
  expect(rule).toContain("it takes 2 (1 to 3), mean and range");
  expect(rule).toContain(
    "enrich 4 sets of dbGaP; with the permuted traits 5 (5 to 5), and as many or more in 2 of 2.",
  );
  expect(rule).toContain("no evidence of biology");
  expect(calibrated).toContain("3 genes are left at a false discovery rate of 0.1, and 1 against");
  const [, , fewer] = told(resultOf({ within: 0.2, onNothing: ["X", "Y", "Z"] }));
  expect(fewer).toContain("with the permuted traits 3 (3 to 3), and as many or more in 0 of 2.");
  expect(fewer).not.toContain("no evidence");
});

test("the region of Apoa2 stands beside all genes and beside other runs of neighbours", () => {
  const place = (chromosome: string, position: number) =>
    ({ ...genes[0], place: { chromosome, position } }) as Gene;
  const placed = [
    ...[10e6, 20e6, 30e6, 170e6, 171e6].map((position) => place("1", position)),
    ...[10e6, 20e6, 30e6].map((position) => place("2", position)),
  ];
  const found = apoa2(nullOf(0.5, 0.01, 0.02, 0.01, 0.03, 0.01, 0.5, 0.5), placed);
  // Two of two where five of eight are: (5 · 4)/(8 · 7). Pairs elsewhere: 0-1, 1-2 of chromosome 1, two of chromosome 2.
  expect(found).toEqual({
    ...{ genes: 2, hits: 2, least: 0.01, allHits: 5, pValue: expect.closeTo(20 / 56, 12) },
    ...{ runs: 4, runsAlike: 1 },
  });
});

test("genes that pass together where nothing is predicted are told to be one association", () => {
  const together = (result: TraitResult) =>
    told(result).filter((line) => line.includes("not to be believed gene by gene"));
  const litter = nullOf(0.02, 0.01, 0.03, 0.5);
  const [line, ...rest] = together(resultOf({ within: -0.04, onNothing: [], litter }));
  expect(rest).toEqual([]);
  expect(line).toContain("predicts nothing beyond chance (−0.04), and still 3 of 4 genes pass");
  expect(line).toContain("between 0.01 and 0.5, and none is below 0.01");
  expect(line).toContain("median p of 0.03");
  expect(together(resultOf({ within: 0.2, onNothing: [], litter }))).toEqual([]);
  const none = nullOf(0.5, 0.5, 0.5, 0.5);
  expect(together(resultOf({ within: -0.04, onNothing: [], litter: none }))).toEqual([]);
});

test("limits tell how the shares are spread, and what the largest gene has of its size", () => {
  const sized = genes.map((gene, g) => (g === 1 ? { ...gene, members: [0, 1, 2] } : gene));
  const variants = [20.04e6, 21e6, 25e6, 30e6].map((position) => ({
    ...{ chromosome: "1", position },
  }));
  const limits = (result: TraitResult) =>
    limitsOf([{ plan: traitPlans[0], result, linear: linearOf(0, 0) }], sized, variants as never);
  const result = resultOf({ within: 0.2, onNothing: [] });
  const [gap, largest] = limits(result);
  expect(gap).toContain("Why 2 genes are above 1/G here, 0 times the paper's 44");
  expect(gap).toContain("the largest share is 40%, the first 44 genes hold 100%");
  expect(gap).toContain("over 3 equal ones");
  expect(largest).toContain("G1, has 3, from 20.0 to 25.0 Mb of chromosome 1; the next has 1");
  expect(largest).toContain(
    "35% of HDL (place 2; p 0.01, within litters 0.5, of its share 0.5). Permuted traits too",
  );
  const shares = nullOf(0.5, 0.01, 0.5, 0.5);
  const own = limits({ ...result, nulls: { ...result.nulls, shares } })[1];
  expect(own).toContain("of its share 0.01).");
  expect(own).not.toContain("Permuted");
  expect(evenNumber(values(0.25, 0.25, 0, 0.25, 0.25))).toBeCloseTo(4, 12);
});

test("what holds up depends on what is left within families, and around Apoa2", () => {
  const claim = (result: TraitResult) => told(result).at(-1)!;
  expect(claim(resultOf({ within: 0.2, onNothing: [] }))).toContain(
    "HDL can be predicted from these SNPs, within families too; HDL goes with the region of Apoa2, within litters too.",
  );
  const none = claim(
    resultOf({ within: -0.04, onNothing: [], litter: nullOf(0.5, 0.01, 0.01, 0.5) }),
  );
  expect(none).toContain("predicted from these SNPs as far as families differ.");
  expect(none).not.toContain("Apoa2");
  const chanceAlone = { within: 0.2, onNothing: [], correlations: [0.02, 0.06] };
  expect(claim(resultOf(chanceAlone))).toContain(
    "HDL cannot be predicted from these SNPs better than by chance",
  );
});

test("sets and genes are called not established only where the numbers say so", () => {
  const claim = (result: TraitResult) => told(result).at(-1)!;
  const usual = resultOf({ within: 0.2, onNothing: ["V", "W", "X", "Y", "Z"] });
  expect(claim(usual)).toContain("Neither single genes nor enriched sets are established");
  const rare = resultOf({ within: 0.2, onNothing: [] });
  expect(claim(rare)).toContain("Single genes are not established");
  const shares = nullOf(0.01, 0.5, 0.5, 0.5);
  const found = { ...usual, nulls: { ...usual.nulls, shares } };
  expect(claim(found)).toContain("Enriched sets are not established");
  expect(claim({ ...rare, nulls: { ...rare.nulls, shares } })).not.toContain("established");
});
