import { RatewiseError } from "@ratewise/core";
import {
  groupsFromIntervals,
  type Interval,
  type Position,
  parseBim,
  variantNames,
} from "@ratewise/core/data";
import { decodeText, readBytes, readCsvRecords, within } from "@ratewise/files";
import type { Io } from "../io.ts";
import type { GroupField } from "./fields.ts";

/** What groups by place need besides their file. */
export interface GroupOptions {
  /** Base pairs around an interval that belong to it. */
  readonly window?: number;
  /** Where the variables lie, by name; asked once they are known. */
  readonly positions?: () => Pick<ReadonlyMap<string, Position>, "get"> | undefined;
}

/** What the columns of a gene table are called here and there. */
const COLUMNS: Readonly<Record<"name" | "chromosome" | "start" | "end", RegExp>> = {
  name: /^(symbol|gene|gene_?name|gene_?symbol|name|id)$/i,
  chromosome: /^#?(chr|chrom|chromosome|chromosome_name)$/i,
  start: /^(start|from|tx_?start|chrom_?start|start_position)$/i,
  end: /^(end|stop|to|tx_?end|chrom_?end|end_position)$/i,
};

function headerOf(text: string): string[] {
  const line = text.slice(0, text.search(/[\r\n]|$/)).replace(/^\ufeff/, "");
  return line.split(/[\t,;]/).map((cell) => cell.trim().replace(/^"|"$/g, ""));
}

/** Whether the header has a start and an end. */
export function isGeneTable(text: string): boolean {
  const header = headerOf(text);
  return [COLUMNS.start, COLUMNS.end, COLUMNS.chromosome].every((form) =>
    header.some((name) => form.test(name)),
  );
}

/**
 * The genes of a table with a name, a chromosome, a start and an end (1-based, both inside). Rows whose
 * feature_type says that they are a marker and no gene are passed over: MGI gives those whole chromosomes.
 */
export function intervalsOfTable(text: string, where: string): Interval[] {
  const header = headerOf(text);
  const places = (["name", "chromosome", "start", "end"] as const).map((what) => {
    const found = header.find((name) => COLUMNS[what].test(name));
    if (found === undefined)
      throw new RatewiseError("parse", {
        at: `${where}, line 1`,
        what: `needs a column with the gene's ${what}`,
      });
    return found;
  });
  const typed = header.includes("feature_type");
  const records = readCsvRecords(text, where, typed ? [...places, "feature_type"] : places);
  return records
    .map(([name, chromosome, start, end, type], i) => {
      if (!/^\d+$/.test(start) || !/^\d+$/.test(end))
        throw new RatewiseError("parse", {
          at: `${where}, record ${i + 2}`,
          what: `needs whole numbers as start and end, got "${start}" and "${end}"`,
        });
      return { name, chromosome, start: Number(start), end: Number(end), type };
    })
    .filter(({ type }) => type !== "heritable phenotypic marker");
}

/** Groups of what lies within each interval; how much does not is told once. */
export function groupsOfIntervals(
  path: string,
  intervals: readonly Interval[],
  { window = 0, positions }: GroupOptions,
  io: Io,
): GroupField {
  return (index) => {
    const known = positions?.();
    const places = [...index.keys()].map((name) => known?.get(name) ?? positionInName(name));
    const found = groupsFromIntervals(intervals, places, window);
    const { groups, emptyIntervals, outside, unplaced } = found;
    if (unplaced === places.length)
      throw new RatewiseError("unknown-name", {
        at: path,
        what: "needs variables with positions, got none",
        advice: "give genotypes (.bed), --positions x.bim, or names such as 1:3197400",
      });
    if (groups.length === 0)
      throw new RatewiseError("unknown-name", {
        at: path,
        what: `needs intervals with variables in them, got none of ${emptyIntervals}`,
        advice: "is the genome build the same?",
      });
    io.err(
      `ratewise: ${path}: ${groups.length} groups of variables; intervals without variables: ${emptyIntervals}; variables in no interval: ${outside}; without a position: ${unplaced}`,
    );
    return groups;
  };
}

/** 1:3197400, chrX:77:A:G. */
function positionInName(name: string): Position {
  const [, chromosome, position] = /^(?:chr)?([0-9A-Za-z]+)[:_](\d+)(?:[:_].*)?$/i.exec(name) ?? [];
  return { chromosome: chromosome ?? "", position: Number(position ?? 0) };
}

/** `--positions`: where the variants of a .bim file lie, by name. */
export async function readPositions(path: string, io: Io): Promise<ReadonlyMap<string, Position>> {
  const { bytes } = await readBytes(path, io);
  const variants = parseBim(
    within(path, () => decodeText(bytes)),
    path,
  );
  const names = variantNames(variants);
  return new Map(variants.map((variant, j) => [names[j], variant]));
}
