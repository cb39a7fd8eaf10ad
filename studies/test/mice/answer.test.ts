import { expect, test } from "vitest";
import { answerOf } from "../../src/mice/answer.ts";
import type { Gene } from "../../src/mice/genes.ts";
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
    ...{ mice: 10, correlations: [0.5, 0.7], rate: values(0.4, 0.35, 0.15, 0.1) },
    others: [
      { covariate: "cage", explained: 0.5, correlations: [changes.within + 0.1] },
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

const told = (result: TraitResult) =>
  answerOf([{ plan: traitPlans[0], result }], genes).map((line) => line.replaceAll("**", ""));

test("sets that come out of permuted traits too are no evidence, others may be", () => {
  const [prediction, rule, calibrated] = told(
    resultOf({ within: 0.2, onNothing: ["X", "Y", "Z"] }),
  );
  expect(prediction).toContain("HDL of mice never seen are predicted with a correlation of 0.60.");
  expect(prediction).toContain("taken out too, 0.20 are left");
  expect(rule).toContain(
    "takes 2 of 4 genes (44 in the paper), and 2 where the trait was permuted",
  );
  expect(rule).toContain("enrich 4 sets of dbGaP, with permuted traits 3.");
  expect(rule).toContain("no evidence of biology");
  expect(calibrated).toContain("3 genes are left at a false discovery rate of 0.1, and 1 against");
  expect(calibrated).toContain("1 of these lie around Apoa2");
  expect(told(resultOf({ within: 0.2, onNothing: ["X"] }))[1]).not.toContain("no evidence");
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
