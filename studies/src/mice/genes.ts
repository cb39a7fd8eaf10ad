import {
  type GeneticVariant,
  groupsFromIntervals,
  type Interval,
  type Position,
} from "@ratewise/core/data";
import type { DataFolder } from "../study/data-folder.ts";

/** SNPs that lie in the same gene or genes: genes with the very same SNPs are one. */
export interface Gene {
  /** The first of `symbols`. */
  readonly name: string;
  readonly symbols: readonly string[];
  /** Columns. */
  readonly members: readonly number[];
  readonly place: Position;
}

/** Intervals of phenotypes, not of genes: some are tens of millions of bases long. */
const NOT_GENES = "heritable phenotypic marker";

export async function readGeneIntervals(data: DataFolder): Promise<Interval[]> {
  const text = await data.text("genes/mgi_genes_grcm38.tsv.gz");
  const [header, ...lines] = text.trimEnd().split("\n");
  const at = (name: string): number => header.split("\t").indexOf(name);
  const [symbol, chr, start, end, type] = ["symbol", "chr", "start", "end", "feature_type"].map(at);
  return lines.flatMap((line) => {
    const fields = line.split("\t");
    if (fields[type] === NOT_GENES) return [];
    const [from, to] = [Number(fields[start]), Number(fields[end])];
    return from > 0 && to >= from
      ? [{ name: fields[symbol], chromosome: fields[chr], start: from, end: to }]
      : [];
  });
}

/** The genes that hold a SNP, in the order of the chromosomes as the variants have them. */
export function genesOf(
  variants: readonly GeneticVariant[],
  intervals: readonly Interval[],
): Gene[] {
  const { groups } = groupsFromIntervals(intervals, variants);
  const same = new Map<string, { symbols: string[]; members: number[] }>();
  for (const { name, members } of groups) {
    const columns = members.map(Number).sort((a, b) => a - b);
    const key = columns.join(",");
    const found = same.get(key);
    if (found) found.symbols.push(name);
    else same.set(key, { symbols: [name], members: columns });
  }
  return [...same.values()]
    .map(({ symbols, members }): Gene => {
      const { chromosome } = variants[members[0]];
      const position = variants[members[Math.floor(members.length / 2)]].position;
      return { name: symbols[0], symbols, members, place: { chromosome, position } };
    })
    .sort((a, b) => a.members[0] - b.members[0]);
}

/** Sets of genes by name, in capitals as human genes are written. */
export async function readGeneSets(
  data: DataFolder,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const lines = (await data.text("genesets/dbGaP.gmt")).trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const [name, , ...symbols] = line.split("\t");
      return [name, new Set(symbols.map((symbol) => symbol.trim().toUpperCase()))];
    }),
  );
}

/** What tables say first of a gene: name, chromosome, Mb, SNPs. */
export const geneCells = ({ name, place, members }: Gene): (string | number)[] => [
  ...[name, place.chromosome, (place.position / 1e6).toFixed(1), members.length],
];
