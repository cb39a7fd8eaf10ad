import { type Column, type Table, table } from "@ratewise/core";
import {
  type GeneticVariant,
  genotypesOf,
  parseBim,
  parseFam,
  readBed,
  type Sample,
  variantNames,
} from "@ratewise/core/data";
import { type FileAccess, readBytes } from "../file-access.ts";
import { within } from "../within.ts";
import { readBesideBed } from "./beside-bed.ts";

/** Genotypes with what is known of their rows and columns. */
export interface PlinkData {
  readonly table: Table;
  readonly samples: readonly Sample[];
  readonly variants: readonly GeneticVariant[];
}

/** Copies of A1, one column per variant, from x.bed with x.bim and x.fam beside it. */
export async function readPlink(
  path: string,
  files: FileAccess,
  checkSize: (rows: number, columns: number) => void,
  onProgress?: (done: number, total: number) => void,
): Promise<PlinkData> {
  const fam = await readBesideBed(path, ".fam", files);
  const samples = parseFam(fam.text, fam.name);
  const bim = await readBesideBed(path, ".bim", files);
  const variants = parseBim(bim.text, bim.name);
  checkSize(samples.length, variants.length);
  const { bytes } = await readBytes(path, files);
  const genotypes = within(path, () => readBed(bytes, samples.length, variants.length));
  const names = variantNames(variants);
  const columns = names.map((name, j): Column => {
    if (j % 1000 === 999) onProgress?.(j + 1, names.length);
    return { kind: "number", name, values: genotypesOf(genotypes, j) };
  });
  return { table: table(columns), samples, variants };
}
