import { type Column, RatewiseError } from "@ratewise/core";
import type { Sample } from "@ratewise/core/data";
import { didYouMean } from "@ratewise/core/words";
import { decodeText, parseCsv, readBytes, within } from "@ratewise/files";
import type { Io } from "../io.ts";

/** The phenotype of the .fam file, as classes where it is 1 and 2; undefined where nobody has one. */
export function phenotypeOfFam(samples: readonly Sample[], where: string): Column | undefined {
  const values = Float64Array.from(samples, ({ phenotype }, i) => {
    if (phenotype === "-9" || phenotype === "NA") return Number.NaN;
    const value = Number(phenotype);
    if (Number.isNaN(value))
      throw new RatewiseError("parse", {
        at: `${where}, line ${i + 1}`,
        what: `needs a number as the phenotype, got "${phenotype}"`,
      });
    return value;
  });
  const binary = values.every((v) => Number.isNaN(v) || v === 0 || v === 1 || v === 2);
  const present = binary ? values.map((v) => (v === 0 ? Number.NaN : v)) : values;
  if (present.every(Number.isNaN)) return undefined;
  return { kind: "number", name: "phenotype", values: present };
}

/** Rows of a file about samples, in the order of the .fam file. */
export interface SampleTable {
  readonly where: string;
  readonly columns: readonly Column[];
  /** Samples of the .fam file that are not in it. */
  readonly absent: number;
  /** Columns in which −9, PLINK's code for a missing value, was taken as one. */
  readonly minusNine: readonly string[];
}

/** A file of phenotypes or covariates: a header, IID (and FID), columns; tabs, commas or blanks between. */
export async function readSampleTable(
  path: string,
  samples: readonly Sample[],
  io: Io,
): Promise<SampleTable> {
  const { bytes } = await readBytes(path, io);
  const text = within(path, () => decodeText(bytes)).replace(/^#/, "");
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const delimited = /[\t,;]/.test(header)
    ? text
    : text.replace(/^[ \t]+|[ \t]+$/gm, "").replace(/ +/g, "\t");
  const categories = new Set(["FID", "IID", "fid", "iid"]);
  const source = parseCsv(delimited, { where: path, categories });
  const named = (name: string): Column | undefined =>
    source.columns.find((column) => column.name.toUpperCase() === name);
  const [individual, family] = [named("IID"), named("FID")];
  if (!individual)
    throw new RatewiseError("parse", {
      at: `${path}, line 1`,
      what: `needs a column IID (and FID), as PLINK has them, got ${source.columns
        .slice(0, 5)
        .map(({ name }) => name)
        .join(", ")}`,
    });
  const keys = Array.from({ length: source.rows }, (_, i) =>
    [family, individual].map((column) => (column ? textAt(column, i) : "")).join("\t"),
  );
  const rowOf = new Map<string, number>();
  keys.forEach((key, i) => {
    if (rowOf.has(key))
      throw new RatewiseError("parse", {
        at: `${path}, line ${i + 2}`,
        what: `needs every sample once, got ${key.trim().replace("\t", " ")} again`,
      });
    rowOf.set(key, i);
  });
  const rows = samples.map(
    (sample) => rowOf.get(`${family ? sample.family : ""}\t${sample.individual}`) ?? -1,
  );
  const absent = rows.filter((row) => row < 0).length;
  if (absent === samples.length)
    throw new RatewiseError("domain", {
      at: path,
      what: `needs samples of the .fam file, got none of its ${samples.length} (its first is ${samples[0].family} ${samples[0].individual})`,
    });
  const minusNine: string[] = [];
  const columns = source.columns
    .filter((column) => column !== individual && column !== family)
    .map((column) => inOrder(column, rows, minusNine));
  return { where: path, columns, absent, minusNine };
}

/** The named columns, or an error that says which there are. */
export function sampleColumns({ where, columns }: SampleTable, names: readonly string[]): Column[] {
  return names.map((name) => {
    const found = columns.find((column) => column.name === name);
    if (found) return found;
    const known = columns.map((column) => column.name);
    throw new RatewiseError("unknown-name", {
      at: where,
      what: `there is no column "${name}"${didYouMean(name, known) || `; choose one of ${known.slice(0, 12).join(", ")}${known.length > 12 ? ", …" : ""}`}`,
      name,
    });
  });
}

function inOrder(column: Column, rows: readonly number[], minusNine: string[]): Column {
  if (column.kind === "category")
    return { ...column, codes: Int32Array.from(rows, (row) => (row < 0 ? -1 : column.codes[row])) };
  let coded = false;
  const values = Float64Array.from(rows, (row) => {
    if (row < 0) return Number.NaN;
    if (column.values[row] !== -9) return column.values[row];
    coded = true;
    return Number.NaN;
  });
  if (coded) minusNine.push(column.name);
  return { ...column, values };
}

function textAt(column: Column, row: number): string {
  if (column.kind === "number") return `${column.values[row]}`;
  return column.codes[row] < 0 ? "" : column.levels[column.codes[row]];
}
