import { manhattanFigure, topNamesFigure } from "@ratewise/plots";
import { orderOf } from "../ranking.ts";
import type { StudyFigure, StudyTable } from "../study/study.ts";
import { APOA2, APOA2_PLACE } from "./apoa2.ts";
import type { Enrichment } from "./enrichment.ts";
import { type Gene, geneCells } from "./genes.ts";
import type { TraitResult } from "./trait.ts";
import type { TraitPlan } from "./trait-plan.ts";

export function tablesOf(
  { name }: TraitPlan,
  result: TraitResult,
  genes: readonly Gene[],
): StudyTable[] {
  const { rate, nulls, enriched } = result;
  return [
    {
      title: `${name}: genes first by groupRATE`,
      columns: ["gene", "chromosome", "Mb", "SNPs", "groupRATE × G", "p", "q", "p within litters"],
      rows: orderOf(rate)
        .slice(0, 15)
        .map((g) => [
          ...geneCells(genes[g]),
          rate[g] * genes.length,
          nulls.all.pValues[g],
          nulls.all.qValues[g],
          nulls.litter.pValues[g],
        ]),
    },
    ...regionTable(name, result, genes),
    {
      title: `${name}: sets of dbGaP by the paper's rule, q < 0.05`,
      columns: ["set", "genes above 1/G", "genes on the array", "q"],
      rows: enriched.map(({ set, overlap, size, qValue }) => [set, overlap, size, qValue]),
    },
  ];
}

/** The stretches that lead by knockoff statistic, with the genes in them that groupRATE ranks first. */
function regionTable(
  name: string,
  { knockoffs, rate }: TraitResult,
  genes: readonly Gene[],
): StudyTable[] {
  if (!knockoffs) return [];
  const { regions, found } = knockoffs;
  const order = orderOf(found.statistics);
  const inside = (r: number): string =>
    orderOf(rate)
      .filter((g) => {
        const { chromosome, position } = genes[g].place;
        const { from, to } = regions[r];
        return chromosome === regions[r].chromosome && position >= from && position < to;
      })
      .slice(0, 3)
      .map((g) => genes[g].name)
      .join(", ");
  const largest = found.statistics[order[0]] || 1;
  return [
    {
      title: `${name}: stretches of 5 Mb that lead by knockoffs`,
      columns: [
        "chromosome",
        "Mb",
        "SNPs that stand for it",
        "W over the largest",
        "q",
        "genes first by groupRATE",
      ],
      rows: order
        .slice(0, 12)
        .map((r) => [
          regions[r].chromosome,
          `${regions[r].from / 1e6}–${regions[r].to / 1e6}`,
          regions[r].tags.length,
          (found.statistics[r] / largest).toFixed(3),
          found.qValues[r].toFixed(2),
          inside(r),
        ]),
    },
  ];
}

/** Figures 10 and 11, and for the mimics S4 to S7: genes along the chromosomes, and the sets they seem to enrich. */
export function figuresOf(
  { name }: TraitPlan,
  { rate, enriched, mimics, mimicSets }: TraitResult,
  genes: readonly Gene[],
): StudyFigure[] {
  const of = (rankingName: string, file: string, shares: Float64Array, sets = enriched) =>
    rankingFigures({ trait: name, ranking: rankingName, file, shares, sets }, genes);
  return [
    ...of("groupRATE", "", rate),
    ...(mimics && mimicSets
      ? [
          ...of("the group lasso mimic", "-lasso", mimics.groupLasso, mimicSets.groupLasso),
          ...of("the group forest mimic", "-forest", mimics.groupForest, mimicSets.groupForest),
        ]
      : []),
  ];
}

/** The axis of shares begins at 1/G over this. */
const LOWEST = 100;
/** Bars of a figure of sets. */
const SHOWN_SETS = 15;

interface ShownRanking {
  readonly trait: string;
  readonly ranking: string;
  /** What its files have after the trait's name. */
  readonly file: string;
  readonly shares: Float64Array;
  readonly sets: readonly Enrichment[];
}

function rankingFigures(
  { trait, ranking, file, shares, sets }: ShownRanking,
  genes: readonly Gene[],
): StudyFigure[] {
  const first = orderOf(shares).slice(0, 3);
  const labelled = new Set([
    ...first.map((g) => genes[g].name),
    ...sets.flatMap((row) => row.genes),
  ]);
  const name = `${trait.toLowerCase()}${file}`;
  const threshold = 1 / genes.length;
  const along: StudyFigure = {
    name: `${name}-genes`,
    caption: `Shares of the genes by ${ranking} along the chromosomes, ${trait}; the axis is logarithmic, the dashed line is 1/G${trait === "HDL" ? `, the band is the region of Apoa2 (${APOA2_PLACE})` : ""}. Genes are named that are first or in enriched sets, where there is room`,
    svg: manhattanFigure(
      { variables: genes.map((gene, g) => ({ name: gene.name, rate: shares[g], direct: null })) },
      new Map(genes.map((gene) => [gene.name, gene.place])),
      {
        ...{ threshold, named: 12, labelled, what: `share by ${ranking}` },
        logarithmicFrom: threshold / LOWEST,
        ...(trait === "HDL" && { marked: { name: "around Apoa2", ...APOA2 } }),
      },
    ),
  };
  if (sets.length === 0) return [along];
  const top = sets
    .slice(0, SHOWN_SETS)
    .map(({ set, qValue }) => ({ name: set, share: -Math.log10(qValue), direction: null }));
  return [
    along,
    {
      name: `${name}-sets`,
      caption: `Sets of dbGaP with q < 0.05 among the genes above 1/G by ${ranking}, ${trait}, the first ${top.length} of ${sets.length}: −log₁₀ q`,
      svg: topNamesFigure([{ method: "−log₁₀ q", top }]),
    },
  ];
}
