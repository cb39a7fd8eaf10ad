import { expect, test } from "vitest";
import { answerOf } from "../../src/mice/answer.ts";
import { apoa2 } from "../../src/mice/apoa2.ts";
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
}): TraitResult =>
  ({
    ...{ mice: 10, correlations: [0.5, 0.7], sizeCorrelation: 0.3 },
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

/** The answer without the signs of bold words. */
const told = (result: TraitResult) =>
  answerOf([{ plan: traitPlans[0], result }], genes).map((line) => line.replaceAll("**", ""));

test("correlations have their standard errors, with cages and with litters taken out", () => {
  const [prediction] = told(resultOf({ within: -0.04, onNothing: [] }));
  expect(prediction).toContain(
    "predicted with a correlation of 0.600 ± 0.100 (mean and standard error of 2 splits of 10 mice)",
  );
  expect(prediction).toContain(
    "0.060 ± 0.100 with cages taken out too (2 splits), −0.04 with litters taken out too (1 splits)",
  );
});

test("sets that come out of permuted traits as often are no evidence, others may be", () => {
  const [, rule, calibrated] = told(
    resultOf({ within: 0.2, onNothing: ["V", "W", "X", "Y", "Z"] }),
  );
  expect(rule).toContain("takes 2 of 4 genes (44 in the paper). With 2 permuted traits");
  expect(rule).toContain("it takes 2 (1 to 3), mean and range");
  expect(rule).toContain(
    "enrich 4 sets of dbGaP; with permuted traits 5 (5 to 5), and as many or more in 2 of 2.",
  );
  expect(rule).toContain("no evidence of biology");
  expect(calibrated).toContain("3 genes are left at a false discovery rate of 0.1, and 1 against");
  const [, fewer] = told(resultOf({ within: 0.2, onNothing: ["X", "Y", "Z"] }));
  expect(fewer).toContain("with permuted traits 3 (3 to 3), and as many or more in 0 of 2.");
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
  expect(line).toContain("predicts nothing (−0.04), and still 3 of 4 genes pass");
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
    limitsOf([{ plan: traitPlans[0], result }], sized, variants as never);
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
    "predicted from these SNPs; HDL goes with the region of Apoa2, within litters too.",
  );
  const none = claim(
    resultOf({ within: -0.04, onNothing: [], litter: nullOf(0.5, 0.01, 0.01, 0.5) }),
  );
  expect(none).toContain("predicted from these SNPs as far as families differ.");
  expect(none).not.toContain("Apoa2");
});
