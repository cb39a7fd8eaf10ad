import { type Connectivity, connect } from "@ratewise/core/network";
import type { Gene } from "../mice/genes.ts";

/** A unit of the second layer: the genes of one set. */
export interface SetUnit {
  readonly name: string;
  /** Indexes of genes. */
  readonly members: readonly number[];
}

/** What is joined to what: SNPs to the genes they lie in, genes to the sets that list them. */
export interface Wiring {
  readonly sets: readonly SetUnit[];
  readonly snpToGene: Connectivity;
  readonly geneToSet: Connectivity;
}

/** Sets with fewer genes on the array are left out: one gene under many names would be many units. */
const FEWEST_GENES = 5;
/** The unit of genes that no set lists: without it they could not be heard. */
export const NO_SET = "in no set";

/**
 * Joins SNPs to genes and genes to sets, by symbols in capitals. With `standIn`, gene g takes the memberships of gene standIn[g]: sets of the
 * same sizes, without their meaning.
 */
export function wiringOf(
  genes: readonly Gene[],
  sets: ReadonlyMap<string, ReadonlySet<string>>,
  standIn?: ArrayLike<number>,
): Wiring {
  const all = [...genes.keys()];
  const symbolsOf = (g: number): readonly string[] => genes[standIn ? standIn[g] : g].symbols;
  const units = [...sets]
    .map(([name, symbols]) => ({
      name,
      members: all.filter((g) => symbolsOf(g).some((symbol) => symbols.has(symbol.toUpperCase()))),
    }))
    .filter(({ members }) => members.length >= FEWEST_GENES);
  const listed = new Set(units.flatMap(({ members }) => members));
  const unlisted = all.filter((g) => !listed.has(g));
  const wired = unlisted.length > 0 ? [...units, { name: NO_SET, members: unlisted }] : units;
  return {
    sets: wired,
    snpToGene: connect(
      genes.flatMap(({ members }, g) => members.map((snp): [number, number] => [snp, g])),
    ),
    geneToSet: connect(
      wired.flatMap(({ members }, s) => members.map((g): [number, number] => [g, s])),
    ),
  };
}

/** The units that are sets, and apart from them the one of all genes in none, where there is one. */
export interface NamedUnits {
  readonly sets: readonly SetUnit[];
  readonly rest: SetUnit | null;
  /** Of values one per unit, those of the sets. */
  readonly ofSets: (values: Float64Array) => Float64Array;
  /** And that of the rest; 0 without one. */
  readonly ofRest: (values: Float64Array) => number;
}

/** A unit of thousands of genes is no set: sets are ranked among themselves. */
export function namedUnits({ sets }: Pick<Wiring, "sets">): NamedUnits {
  const at = [...sets.keys()].filter((s) => sets[s].name !== NO_SET);
  const rest = sets.findIndex(({ name }) => name === NO_SET);
  return {
    sets: at.map((s) => sets[s]),
    rest: sets[rest] ?? null,
    ofSets: (values) => Float64Array.from(at, (s) => values[s]),
    ofRest: (values) => (rest < 0 ? 0 : values[rest]),
  };
}
