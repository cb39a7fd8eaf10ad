import type { Column, Diagnostic } from "@ratewise/core";
import { missingCount } from "@ratewise/core/data";
import type { TableFormat } from "@ratewise/files";
import type { Io } from "../io.ts";
import { displayWidth, fit, pad, printable, wrap } from "./printable.ts";

export interface InspectedColumn {
  readonly name: string;
  readonly kind: "number" | "category";
  readonly missing: number;
  /** Of numbers. */
  readonly least: number | null;
  readonly mean: number | null;
  readonly greatest: number | null;
  /** Of categories: how many levels, and the first of them. */
  readonly levels: number | null;
  readonly examples: readonly string[];
  readonly use: "target" | "predictor" | "left out";
  readonly reason: string | null;
}

/** What `ratewise inspect --json` prints. */
export interface InspectDocument {
  readonly kind: "inspect";
  readonly format: TableFormat;
  readonly rows: number;
  /** Rows without a missing value in the target and the predictors. */
  readonly complete: number;
  readonly target: string | null;
  readonly task: "regression" | "classification" | null;
  readonly columns: readonly InspectedColumn[];
  readonly groups: readonly { readonly name: string; readonly size: number }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly version: string;
}

/** A column's kind, missing values and range. */
export function columnSummary(column: Column): Omit<InspectedColumn, "use" | "reason"> {
  const { name, kind } = column;
  const missing = missingCount(column);
  if (column.kind === "category") {
    const { levels } = column;
    const examples = levels.slice(0, 3);
    return {
      name,
      kind,
      missing,
      least: null,
      mean: null,
      greatest: null,
      levels: levels.length,
      examples,
    };
  }
  let [least, greatest, sum, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const value of column.values) {
    if (Number.isNaN(value)) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    sum += value;
    count++;
  }
  const numbers =
    count > 0
      ? { least, mean: sum / count, greatest }
      : { least: null, mean: null, greatest: null };
  return { name, kind, missing, ...numbers, levels: null, examples: [] };
}

const FORMATS: Readonly<Record<TableFormat, string>> = {
  text: "delimited text",
  parquet: "Parquet",
  npy: "a NumPy array",
  npz: "a NumPy archive",
  libsvm: "LIBSVM",
  plink: "PLINK genotypes",
  idx: "IDX",
};
const MOST_COLUMNS = 40;
const MOST_GROUPS = 10;

/** It for people: columns with their use, then groups and what to keep in mind. */
export function inspectText(document: InspectDocument, path: string, io: Io): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  const { rows, columns, groups, diagnostics } = document;
  const count = (use: InspectedColumn["use"]): number =>
    columns.filter((c) => c.use === use).length;
  const target =
    document.target === null
      ? "You named no target."
      : `The target "${printable(document.target)}" would be a ${document.task}.`;
  const parts = [
    wrap(
      `${printable(path)} (${FORMATS[document.format]}): ${rows} rows, ${document.complete} of them complete, and ${columns.length} columns: ${count("predictor")} predictors, ${count("left out")} left out. ${target}`,
      width,
    ),
    columnTable(columns, width),
  ];
  if (groups.length > 0) parts.push(groupText(groups, width));
  const notes = diagnostics.map(({ message }) => wrap(`- ${printable(message)}`, width, "  "));
  if (notes.length > 0) parts.push(["To keep in mind:", ...notes].join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** What is special first where there are too many to show: the target, then what is left out. */
function columnTable(columns: readonly InspectedColumn[], width: number): string {
  const order = { target: 0, "left out": 1, predictor: 2 } as const;
  const many = columns.length > MOST_COLUMNS;
  const shown = many
    ? [...columns].sort((a, b) => order[a.use] - order[b.use]).slice(0, MOST_COLUMNS)
    : columns;
  const cells = shown.map((column) => [
    fit(printable(column.name), 30),
    column.use,
    column.kind === "number"
      ? "numbers"
      : `${column.levels} level${column.levels === 1 ? "" : "s"}`,
    `${column.missing}`,
    fit(printable(column.reason ?? contents(column)), 60),
  ]);
  const titles = ["column", "use", "kind", "missing", "values"];
  const table = [titles, ...cells];
  const widths = titles.map((_, c) => Math.max(...table.map((row) => displayWidth(row[c]))));
  const lines = table.map((row) =>
    fit(
      row
        .map((cell, c) => pad(cell, widths[c]))
        .join("  ")
        .trimEnd(),
      width,
    ),
  );
  return [
    ...lines,
    ...(many ? [`… and ${columns.length - MOST_COLUMNS} more (--json has all)`] : []),
  ].join("\n");
}

function contents({ least, mean, greatest, examples }: InspectedColumn): string {
  if (least === null) return examples.join(", ");
  const short = (value: number | null): string => `${Number(value!.toPrecision(4))}`;
  return `${short(least)} to ${short(greatest)}, mean ${short(mean)}`;
}

function groupText(groups: InspectDocument["groups"], width: number): string {
  const sizes = groups.map(({ size }) => size);
  const shown = groups
    .slice(0, MOST_GROUPS)
    .map(({ name, size }) => `${printable(name)} (${size})`);
  const more = groups.length > MOST_GROUPS ? [`… and ${groups.length - MOST_GROUPS} more`] : [];
  const [least, most] = [
    sizes.reduce((a, b) => Math.min(a, b)),
    sizes.reduce((a, b) => Math.max(a, b)),
  ];
  return wrap(
    `${groups.length} groups of ${least === most ? least : `${least} to ${most}`} variables: ${[...shown, ...more].join(", ")}`,
    width,
    "  ",
  );
}
