import {
  type CategoryColumn,
  type GeneticVariant,
  genotypesOf,
  parseBim,
  parseFam,
  readBed,
} from "@ratewise/core/data";
import { parseCsv } from "@ratewise/files";
import type { DataFolder } from "../study/data-folder.ts";

/** Heterogeneous stock mice (Valdar and others 2006), in the order of the .fam file. */
export interface Mice {
  readonly mice: number;
  readonly variants: readonly GeneticVariant[];
  /** Copies of the counted allele, variants × mice. */
  readonly genotypes: Int8Array;
  /** Traits by name; NaN where missing. */
  readonly traits: ReadonlyMap<string, Float64Array>;
  readonly sex: CategoryColumn;
  readonly cage: CategoryColumn;
  /** Mice of one litter have the same label: parents and number. */
  readonly litter: readonly string[];
}

export async function readMice(data: DataFolder): Promise<Mice> {
  const samples = parseFam(await data.text("mice/hs_mice.fam"), "hs_mice.fam");
  const variants = parseBim(await data.text("mice/hs_mice.bim"), "hs_mice.bim");
  const bed = readBed(await data.bytes("mice/hs_mice.bed"), samples.length, variants.length);
  const genotypes = new Int8Array(variants.length * samples.length);
  variants.forEach((_, v) => {
    genotypes.set(genotypesOf(bed, v), v * samples.length);
  });
  const identifiers = new Set(["FID", "IID", "PAT", "MAT", "GENDER", "Litter", "cage"]);
  const { columns, rows } = parseCsv(await data.text("mice/hs_mice.pheno.tsv"), {
    where: "hs_mice.pheno.tsv",
    categories: identifiers,
  });
  const category = (name: string): CategoryColumn => {
    const column = columns.find((candidate) => candidate.name === name);
    if (column?.kind !== "category") throw new Error(`hs_mice.pheno.tsv: needs a column ${name}`);
    return column;
  };
  const textAt = (name: string, row: number): string => {
    const { codes, levels } = category(name);
    return codes[row] < 0 ? "" : levels[codes[row]];
  };
  const rowOf = new Map(Array.from({ length: rows }, (_, row) => [textAt("IID", row), row]));
  const order = samples.map(({ individual }) => {
    const row = rowOf.get(individual);
    if (row === undefined)
      throw new Error(`hs_mice.pheno.tsv: needs ${individual} of the .fam file`);
    return row;
  });
  const traits = new Map<string, Float64Array>();
  for (const column of columns)
    if (column.kind === "number")
      traits.set(
        column.name,
        Float64Array.from(order, (row) => column.values[row]),
      );
  const ordered = (name: string): CategoryColumn => {
    const column = category(name);
    return { ...column, codes: Int32Array.from(order, (row) => column.codes[row]) };
  };
  return {
    mice: samples.length,
    variants,
    genotypes,
    traits,
    sex: ordered("GENDER"),
    cage: ordered("cage"),
    litter: order.map((row) => ["PAT", "MAT", "Litter"].map((name) => textAt(name, row)).join("|")),
  };
}

/** The share of the rarer allele among the given mice, one per variant. */
export function minorAlleleFrequencies(
  { genotypes, variants, mice }: Mice,
  rows: ArrayLike<number>,
): Float64Array {
  return Float64Array.from(variants, (_, v) => {
    let copies = 0;
    for (let i = 0; i < rows.length; i++) copies += genotypes[v * mice + rows[i]];
    const share = copies / (2 * rows.length);
    return Math.min(share, 1 - share);
  });
}
