import { fold, keyFromSeed } from "@ratewise/core";
import { manhattanFigure, topNamesFigure } from "@ratewise/plots";
import {
  atLeast,
  atMost,
  type Finding,
  finding,
  type Study,
  type StudyContext,
  type StudyFigure,
  type StudyTable,
} from "../study/study.ts";
import type { GeneNull } from "./gene-null.ts";
import { type Gene, genesOf, readGeneIntervals, readGeneSets } from "./genes.ts";
import { readMice } from "./read-mice.ts";
import { analyseTrait, type Sizes, type TraitResult } from "./trait.ts";

/** What the paper prints about a trait, and what is asked of it here. */
interface TraitPlan {
  readonly column: string;
  readonly name: string;
  /** Genes above 1/G by groupRATE, group lasso and group forest. */
  readonly paper: readonly [number, number, number];
  readonly correlation: number;
  /** Where in groupRATE the paper has Sgcz. */
  readonly sgcz: number | null;
}

const TRAITS: readonly TraitPlan[] = [
  { column: "Biochem.HDL", name: "HDL", paper: [44, 5, 24], correlation: 0.45, sgcz: null },
  { column: "Obesity.BMI", name: "BMI", paper: [49, 11, 33], correlation: 0.18, sgcz: 1 },
];

const WHOLE: Sizes = { epochs: 30, splits: 5, permutations: 50_000, trees: 100 };
const QUICK: Sizes = { epochs: 8, splits: 1, permutations: 2000, trees: 10 };
const PAPER_GENES = 3749;
const FDR = 0.1;

/** Apolipoprotein A-II, at 171.2 Mb of chromosome 1, with its neighbourhood: linkage in these mice reaches over millions of bases. */
const APOA2 = { chromosome: "1", from: 166_000_000, to: 176_000_000 } as const;

/** Figures 10 and 11, S4 to S7: genes of heterogeneous stock mice. */
export const mice: Study = {
  name: "mice",
  title: "Which genes go with body mass and HDL cholesterol in mice",
  question:
    "Which genes does groupRATE find for BMI and HDL, how much of that is gene size, and what is left when it is calibrated?",
  source: "section 5.1, Figures 10 and 11, S4 to S7",
  needs: ["mice"],
  async run(context) {
    const { seed, quick, stage, data } = context;
    const key = keyFromSeed(seed);
    const stock = await stage("read", () => readMice(data));
    const genes = genesOf(stock.variants, await stage("genes", () => readGeneIntervals(data)));
    const sets = await readGeneSets(data);
    const results: { plan: TraitPlan; result: TraitResult }[] = [];
    for (const plan of quick ? TRAITS.slice(0, 1) : TRAITS) {
      const sizes = quick ? QUICK : WHOLE;
      const input = { mice: stock, trait: plan.column, genes, sets, sizes, mimic: !quick };
      results.push({ plan, result: await analyseTrait(input, context, fold(key, plan.name)) });
    }
    return {
      method: [
        `${stock.variants.length.toLocaleString("en")} SNPs of ${stock.mice.toLocaleString("en")} mice (Valdar and others 2006); genes are those of MGI by GRCm38 position that hold a SNP, genes with the very same SNPs merged: ${genes.length.toLocaleString("en")} (the paper has ${PAPER_GENES.toLocaleString("en")}).`,
        "Sex is regressed out of the trait. Networks of 32-16 units with an input penalty chosen on held-back mice; the paper has 512-512-512 with dropout, stopped by the training error.",
        "The paper's rule takes genes whose share is above 1/G; sets of dbGaP are tested with the genes on the array as the universe, human symbols matched in capitals.",
        `Calibrated: hidden layers from one half of the mice, output layer refitted to the other, ${(quick ? QUICK : WHOLE).permutations.toLocaleString("en")} permutations of that half's trait, among all its mice, and within litters with everything less the litters' means; q-values of Benjamini and Hochberg. They speak of the global null.`,
        "The forest ranks genes by the impurity that their SNPs decrease, not by permuting them.",
      ],
      answer: [
        ...results.map(({ plan, result }) => answerText(plan, result, genes)),
        "The p-values are of the global null: they are small for every gene that goes along with what is predicted, and say that something is there, not that it is this gene. Knockoffs, which could say that, are not part of this study yet.",
      ],
      findings: results.flatMap(({ plan, result }) =>
        quick
          ? quickFindings(plan, result, genes)
          : [...findingsOf(plan, result, genes), minutesOf(plan, context.seconds)],
      ),
      tables: results.flatMap(({ plan, result }) => tablesOf(plan, result, genes)),
      figures: results.flatMap(({ plan, result }) => figuresOf(plan, result, genes)),
      numbers: {
        genes: genes.map(({ name, symbols, members, place }) => ({
          name,
          symbols,
          snps: members.length,
          ...place,
        })),
        traits: results.map(({ plan, result: { rate, mimics, nulls, ...rest } }) => ({
          trait: plan.name,
          ...rest,
          rate: [...rate],
          groupLasso: mimics && [...mimics.groupLasso],
          groupForest: mimics && [...mimics.groupForest],
          pValues: [...nulls.all.pValues],
          qValues: [...nulls.all.qValues],
          pValuesWithinLitter: [...nulls.litter.pValues],
          qValuesWithinLitter: [...nulls.litter.qValues],
          pValuesOfShares: [...nulls.shares.pValues],
          qValuesOfShares: [...nulls.shares.qValues],
        })),
      },
    };
  },
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const countAbove = (shares: Float64Array): number =>
  shares.filter((share) => share > 1 / shares.length).length;

const hits = (qValues: Float64Array): number => qValues.filter((q) => q <= FDR).length;

function inApoa2({ place }: Gene): boolean {
  const { chromosome, from, to } = APOA2;
  return place.chromosome === chromosome && place.position >= from && place.position <= to;
}

/** Genes of the region among the hits of a null, and the least p-value there. */
function apoa2(
  { pValues, qValues }: GeneNull,
  genes: readonly Gene[],
): { hits: number; least: number } {
  const region = [...genes.keys()].filter((g) => inApoa2(genes[g]));
  return {
    hits: region.filter((g) => qValues[g] <= FDR).length,
    least: Math.min(...region.map((g) => pValues[g])),
  };
}

function rankOf(name: string, shares: Float64Array, genes: readonly Gene[]): number | string {
  const at = genes.findIndex(({ symbols }) => symbols.includes(name));
  if (at < 0) return "no SNP";
  return 1 + shares.filter((share) => share > shares[at]).length;
}

function findingsOf(plan: TraitPlan, result: TraitResult, genes: readonly Gene[]): Finding[] {
  const of = (what: string): string => `${plan.name}: ${what}`;
  const { mimics, nulls, rate } = result;
  return [
    finding(
      of("correlation in held-out mice, mean of 5 splits"),
      null,
      mean(result.correlations),
      atLeast(plan.correlation),
    ),
    finding(of("genes"), PAPER_GENES, genes.length),
    finding(of("genes above 1/G, groupRATE"), plan.paper[0], countAbove(rate)),
    ...(mimics
      ? [
          finding(
            of("genes above 1/G, group lasso mimic"),
            plan.paper[1],
            countAbove(mimics.groupLasso),
          ),
          finding(
            of("genes above 1/G, group forest mimic"),
            plan.paper[2],
            countAbove(mimics.groupForest),
          ),
        ]
      : []),
    finding(of("place of Sgcz by groupRATE"), plan.sgcz, rankOf("Sgcz", rate, genes)),
    finding(of("place of Nrg1 by groupRATE"), null, rankOf("Nrg1", rate, genes)),
    finding(of("Spearman of groupRATE and SNPs in the gene"), null, result.sizeCorrelation),
    finding(of("sets of dbGaP with q < 0.05, genes above 1/G"), null, result.enriched.length),
    finding(of("genes above 1/G with the trait permuted"), null, result.control.above),
    finding(
      of("sets of dbGaP with q < 0.05 with the trait permuted"),
      null,
      result.control.enriched.length,
    ),
    finding(of(`genes at q ≤ ${FDR}, calibrated`), null, hits(nulls.all.qValues)),
    finding(of(`genes at q ≤ ${FDR}, calibrated within litters`), null, hits(nulls.litter.qValues)),
    finding(of(`genes at q ≤ ${FDR}, shares calibrated`), null, hits(nulls.shares.qValues)),
    ...(plan.name === "HDL"
      ? [
          finding(
            of("genes around Apoa2 among the calibrated"),
            null,
            apoa2(nulls.all, genes).hits,
          ),
          finding(
            of("genes around Apoa2 among those within litters"),
            null,
            apoa2(nulls.litter, genes).hits,
            atLeast(1),
          ),
          finding(
            of("least p-value around Apoa2, within litters"),
            null,
            apoa2(nulls.litter, genes).least,
          ),
        ]
      : []),
  ];
}

function minutesOf({ name, column }: TraitPlan, seconds: StudyContext["seconds"]): Finding {
  const own = Object.entries(seconds).filter(([stage]) => stage.startsWith(column));
  const whole = own.reduce((sum, [, time]) => sum + time, 0);
  return finding(`${name}: minutes`, null, whole / 60, atMost(5));
}

function quickFindings(plan: TraitPlan, result: TraitResult, genes: readonly Gene[]): Finding[] {
  const of = (what: string): string => `${plan.name}: ${what}`;
  const { correlations, nulls, sizeCorrelation } = result;
  return [
    finding(of("correlation in held-out mice"), null, mean(correlations), atLeast(0.3)),
    finding(of("Spearman of groupRATE and SNPs in the gene"), null, sizeCorrelation, atLeast(0.2)),
    finding(of("least p-value around Apoa2"), null, apoa2(nulls.all, genes).least, atMost(0.005)),
    finding(of(`genes at q ≤ ${FDR}, calibrated`), null, hits(nulls.all.qValues), atLeast(1)),
  ];
}

function answerText(
  { name, paper }: TraitPlan,
  result: TraitResult,
  genes: readonly Gene[],
): string {
  const { nulls, enriched, rate, sizeCorrelation, correlations } = result;
  const [all, litter] = [hits(nulls.all.qValues), hits(nulls.litter.qValues)];
  const sets = enriched.slice(0, 3).map(({ set }) => `“${set}”`);
  const claim =
    2 * result.control.enriched.length > enriched.length
      ? " So enrichment by this rule is no evidence of biology here: the sets come with the sizes of genes."
      : "";
  const region =
    name === "HDL"
      ? ` Around Apoa2 on chromosome 1, a known locus of HDL, they are ${apoa2(nulls.all, genes).hits} and ${apoa2(nulls.litter, genes).hits} genes.`
      : "";
  return `${name} of ${result.mice.toLocaleString("en")} mice is predicted with a correlation of ${mean(correlations).toFixed(2)} in mice never seen. By the paper's rule ${countAbove(rate)} of ${genes.length} genes stand out (the paper has ${paper[0]}), but shares grow with the number of SNPs in a gene (Spearman ${sizeCorrelation.toFixed(2)})${sets.length > 0 ? `, and ${enriched.length} sets of dbGaP seem enriched, ${sets.join(", ")} first` : ", and no set of dbGaP is enriched"}. With the trait permuted, so that there is nothing to find, the same rule takes ${result.control.above} genes and ${result.control.enriched.length} sets${
    result.control.enriched.length > 0
      ? `, ${result.control.enriched
          .slice(0, 3)
          .map((set) => `“${set}”`)
          .join(", ")} first`
      : ""
  }. Against its own null, gene by gene, ${all} genes are left at a false discovery rate of ${FDR} when the trait is permuted among all mice, ${litter} when only differences within litters count; by their shares of the whole, which do not grow with the fit, ${hits(nulls.shares.qValues)}.${region}${claim}`;
}

function tablesOf({ name }: TraitPlan, result: TraitResult, genes: readonly Gene[]): StudyTable[] {
  const { rate, nulls, enriched } = result;
  const order = [...genes.keys()].sort(
    (a, b) => nulls.all.pValues[a] - nulls.all.pValues[b] || rate[b] - rate[a],
  );
  return [
    {
      title: `${name}: genes with the least p-values`,
      columns: ["gene", "chromosome", "Mb", "SNPs", "groupRATE × G", "p", "q", "p within litters"],
      rows: order
        .slice(0, 15)
        .map((g) => [
          genes[g].name,
          genes[g].place.chromosome,
          (genes[g].place.position / 1e6).toFixed(1),
          genes[g].members.length,
          rate[g] * genes.length,
          nulls.all.pValues[g],
          nulls.all.qValues[g],
          nulls.litter.pValues[g],
        ]),
    },
    {
      title: `${name}: sets of dbGaP by the paper's rule, q < 0.05`,
      columns: ["set", "genes above 1/G", "genes on the array", "q"],
      rows: enriched.map(({ set, overlap, size, qValue }) => [set, overlap, size, qValue]),
    },
  ];
}

function figuresOf(
  { name }: TraitPlan,
  { rate, enriched }: TraitResult,
  genes: readonly Gene[],
): StudyFigure[] {
  const first = [...genes.keys()].sort((a, b) => rate[b] - rate[a]).slice(0, 3);
  const labelled = new Set([
    ...first.map((g) => genes[g].name),
    ...enriched.flatMap((row) => row.genes),
  ]);
  const figures = [
    {
      name: `${name.toLowerCase()}-genes`,
      caption: `groupRATE of the genes along the chromosomes, ${name}; the dashed line is 1/G, the first three genes and those of enriched sets are named where they stand out`,
      svg: manhattanFigure(
        { variables: genes.map((gene, g) => ({ name: gene.name, rate: rate[g], direct: null })) },
        new Map(genes.map((gene) => [gene.name, gene.place])),
        { threshold: 1 / genes.length, named: 12, labelled },
      ),
    },
  ];
  if (enriched.length === 0) return figures;
  const top = enriched
    .slice(0, 15)
    .map(({ set, qValue }) => ({ name: set, share: -Math.log10(qValue), direction: null }));
  return [
    ...figures,
    {
      name: `${name.toLowerCase()}-sets`,
      caption: `Sets of dbGaP among the genes above 1/G, ${name}: −log₁₀ q`,
      svg: topNamesFigure([{ method: "−log₁₀ q", top }]),
    },
  ];
}
