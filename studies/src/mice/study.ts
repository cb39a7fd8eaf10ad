import { fold, keyFromSeed } from "@ratewise/core";
import type { Study } from "../study/study.ts";
import { linearBaseline, type TraitAnswer } from "./baseline.ts";
import { type MouseCovariate, mouseCovariates } from "./covariates.ts";
import { findingsOf, quickFindings } from "./findings.ts";
import { genesOf, readGeneIntervals, readGeneSets } from "./genes.ts";
import { readMice } from "./read-mice.ts";
import { figuresOf, tablesOf } from "./shown.ts";
import { analyseTrait, type Sizes } from "./trait.ts";
import { FDR, type TraitPlan, traitPlans } from "./trait-plan.ts";

const WHOLE: Sizes = {
  ...{ epochs: 30, splits: 5, permutations: 50_000, trees: 100 },
  ...{ refits: 20, otherSplits: 3 },
};
const QUICK: Sizes = {
  ...{ epochs: 8, splits: 1, permutations: 2000, trees: 10 },
  ...{ refits: 1, otherSplits: 0 },
};

/** Figures 10 and 11, S4 to S7: genes of heterogeneous stock mice. */
export const mice: Study = {
  name: "mice",
  title: "Which genes go with body mass and HDL cholesterol in mice",
  question:
    "Which genes does groupRATE find for BMI and HDL, how much of that is gene size, and what is left when it is calibrated?",
  source: "section 6.1, Figures 10 and 11, S4 to S7",
  needs: ["mice"],
  covariates: mouseCovariates,
  async run(context) {
    const { seed, quick, stage, data } = context;
    const covariates = context.covariates as readonly MouseCovariate[];
    const key = keyFromSeed(seed);
    const stock = await stage("read", () => readMice(data));
    const genes = genesOf(stock.variants, await stage("genes", () => readGeneIntervals(data)));
    const sets = await readGeneSets(data);
    const sizes = quick ? QUICK : WHOLE;
    const plans = quick ? traitPlans.slice(0, 1) : traitPlans;
    const inputOf = ({ column }: TraitPlan) => ({ mice: stock, trait: column, sizes, covariates });
    const keyOf = ({ name }: TraitPlan) => fold(key, name);
    const analysed: Omit<TraitAnswer, "linear">[] = [];
    for (const plan of plans) {
      const input = { ...inputOf(plan), genes, sets, fdr: FDR, small: quick };
      analysed.push({ plan, result: await analyseTrait(input, context, keyOf(plan)) });
    }
    const results: TraitAnswer[] = [];
    for (const { plan, result } of analysed) {
      const linear = await linearBaseline(inputOf(plan), context, keyOf(plan));
      results.push({ plan, result, linear });
    }
    return {
      findings: results
        .flatMap((trait) =>
          quick ? quickFindings(trait, genes) : findingsOf(trait, genes, context),
        )
        // What is asked is asked of traits less sex alone.
        .map((row) => (covariates.length === 0 ? row : { ...row, bar: null, holds: null })),
      tables: results.flatMap(({ plan, result }) => tablesOf(plan, result, genes)),
      figures: results.flatMap(({ plan, result }) => figuresOf(plan, result, genes)),
      numbers: {
        genes: genes.map(({ name, symbols, members, place }) => ({
          ...{ name, symbols, snps: members.length },
          ...place,
        })),
        traits: results.map(numbersOf),
      },
    };
  },
};

function numbersOf({ plan, result, linear }: TraitAnswer): Readonly<Record<string, unknown>> {
  const { rate, mimics, nulls, refits, knockoffs, ...rest } = result;
  return {
    trait: plan.name,
    ...rest,
    ridge: linear,
    rate: [...rate],
    groupLasso: mimics && [...mimics.groupLasso],
    groupForest: mimics && [...mimics.groupForest],
    pValues: [...nulls.all.pValues],
    qValues: [...nulls.all.qValues],
    pValuesWithinLitter: [...nulls.litter.pValues],
    qValuesWithinLitter: [...nulls.litter.qValues],
    pValuesOfShares: [...nulls.shares.pValues],
    qValuesOfShares: [...nulls.shares.qValues],
    refitPValues: refits && [...refits.all.pValues],
    refitPValuesWithinLitter: refits && [...refits.litter.pValues],
    regions: knockoffs?.regions.map(({ chromosome, from, to, tags }, r) => ({
      ...{ chromosome, from, to, tags: tags.length },
      w: knockoffs.found.statistics[r],
      q: knockoffs.found.qValues[r],
    })),
  };
}
