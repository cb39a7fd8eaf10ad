import { median } from "@ratewise/core/evaluate";
import { manhattanFigure, topNamesFigure } from "@ratewise/plots";
import { APOA2, APOA2_PLACE } from "../mice/apoa2.ts";
import { type Gene, geneCells } from "../mice/genes.ts";
import { orderOf, placeOf } from "../ranking.ts";
import type { StudyFigure, StudyTable } from "../study/study.ts";
import type { Split, SplitResult } from "./summary.ts";
import type { Levels } from "./wired-network.ts";
import type { SetUnit } from "./wiring.ts";

type Placed = Pick<Gene, "name" | "place">;

const SHOWN = 12;
const NAMED = 8;
/** Bases: in these mice linkage reaches about as far. */
const NEIGHBOURS = 20_000_000;

export function setTable(
  sets: readonly SetUnit[],
  levels: Pick<Levels, "sets">,
  splits: readonly Split[],
): StudyTable {
  const places = (s: number, of: (split: Split) => SplitResult): number =>
    median(splits.map((split) => placeOf(of(split).levels.sets, s)));
  return {
    title: "Sets by RATE of their units",
    columns: ["set", "genes", "RATE", "median place over splits", "with exchanged genes"],
    rows: orderOf(levels.sets)
      .slice(0, SHOWN)
      .map((s) => [
        sets[s].name,
        sets[s].members.length,
        levels.sets[s],
        places(s, ({ real }) => real),
        places(s, ({ exchanged }) => exchanged),
      ]),
  };
}

export function geneTable(genes: readonly Gene[], levels: Levels): StudyTable {
  return {
    title: "Genes by RATE of their units",
    columns: ["gene", "chromosome", "Mb", "SNPs", "RATE × genes", "place by groupRATE"],
    rows: orderOf(levels.genes)
      .slice(0, SHOWN)
      .map((g) => [
        ...geneCells(genes[g]),
        levels.genes[g] * genes.length,
        placeOf(levels.groups, g),
      ]),
  };
}

/** Genes to name in the figure: the best ones that are not neighbours of a better one. */
function leaders(genes: readonly Placed[], shares: Float64Array): ReadonlySet<string> {
  const found: Placed[] = [];
  for (const g of orderOf(shares)) {
    const { chromosome, position } = genes[g].place;
    const near = ({ place }: Placed): boolean =>
      place.chromosome === chromosome && Math.abs(place.position - position) < NEIGHBOURS;
    if (!found.some(near)) found.push(genes[g]);
    if (found.length === NAMED) break;
  }
  return new Set(found.map(({ name }) => name));
}

/** Genes along the chromosomes, and the first sets in the order of the table. */
export function figuresOf(
  sets: readonly Pick<SetUnit, "name">[],
  genes: readonly Placed[],
  levels: Pick<Levels, "genes" | "sets">,
  trainedOn: string,
): StudyFigure[] {
  const top = orderOf(levels.sets)
    .slice(0, SHOWN)
    .map((s) => ({ name: sets[s].name, share: levels.sets[s], direction: null }));
  const labelled = leaders(genes, levels.genes);
  return [
    {
      name: "genes",
      caption: `RATE of the gene units along the chromosomes, HDL; the dashed line is one over the number of genes, the band the region of Apoa2 (${APOA2_PLACE})`,
      svg: manhattanFigure(
        { variables: genes.map(({ name }, g) => ({ name, rate: levels.genes[g], direct: null })) },
        new Map(genes.map(({ name, place }) => [name, place])),
        { threshold: 1 / genes.length, labelled, marked: { name: "around Apoa2", ...APOA2 } },
      ),
    },
    {
      name: "sets",
      caption: `The first ${top.length} of ${sets.length} sets by RATE of their units, in the network trained on ${trainedOn}: shares of all units of the layer`,
      svg: topNamesFigure([{ method: "RATE of the unit", top }]),
    },
  ];
}
