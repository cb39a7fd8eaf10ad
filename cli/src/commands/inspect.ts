import { type Column, type Diagnostic, type Table, version } from "@ratewise/core";
import {
  columnNamed,
  excludeColumns,
  missingCount,
  pooledLevelsNote,
  readingNotes,
  targetFromColumn,
} from "@ratewise/core/data";
import { diagnostic } from "@ratewise/core/diagnostic";
import { safeJson } from "@ratewise/core/explain";
import { clause, mention, say } from "@ratewise/core/words";
import { formatOfName } from "@ratewise/files";
import type { Command } from "../command.ts";
import { readPositions } from "../input/intervals.ts";
import { readTableFile } from "../input/read-table.ts";
import { readGroups } from "../input/variable-files.ts";
import { positionsOf, readData, readOptions } from "../options/data-options.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine } from "../options/options.ts";
import { naming, onePath } from "../options/table-command.ts";
import { columnSummary, type InspectDocument, inspectText } from "../output/inspect-text.ts";
import { progressLine } from "../output/progress.ts";
import { told } from "../output/told.ts";

const help = `usage: ratewise inspect <data> [options]

Shows how ratewise reads a file, without training anything: rows, columns and their kinds, missing values,
which columns are left out and why, what the target is, and how many variables each group has.

options:
${optionsHelp("inspect")}
examples:
  ratewise inspect houses.csv --target price
  ratewise inspect mice.bed --pheno mice.tsv --trait BMI --groups genes.bed --window 50k
  ratewise inspect X.npy --json
`;

export const inspect: Command = {
  name: "inspect",
  summary: "show how ratewise reads a file, and what it leaves out",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("inspect", argv);
    const path = onePath("inspect", positionals);
    const { window } = values;
    const withTarget = values.target !== undefined || values.trait !== undefined;
    const progress = progressLine(io);
    const { onProgress } = progress;
    try {
      const data = await naming(path, async () => {
        if (withTarget || formatOfName(path) === "libsvm")
          return readData(path, values, io, { onProgress });
        const file = await readTableFile(path, io, {
          onProgress,
          ...readOptions(values),
        });
        return { ...file, target: undefined, diagnostics: [], variants: file.genotypes?.variants };
      });
      progress.finish();
      const { table, target, format, variants } = data;
      const positions = values.positions
        ? await readPositions(values.positions, io)
        : variants && positionsOf({ table, target: "", format, diagnostics: [], variants });
      const described = await naming(path, async () =>
        describe(table, target, new Set(values.exclude), new Set(values.keep)),
      );
      const names = described.columns.filter(({ use }) => use === "predictor").map((c) => c.name);
      const groups = values.groups
        ? await readGroups(values.groups, io, {
            ...(window !== undefined && { window }),
            positions: () => positions,
          })
        : undefined;
      const document = told<InspectDocument>({
        kind: "inspect",
        format,
        rows: table.rows,
        ...described,
        diagnostics: [...data.diagnostics, ...described.diagnostics],
        groups: groups
          ? groups(new Map(names.map((name, j) => [name, j]))).map(({ name, members }) => ({
              name,
              size: members.length,
            }))
          : [],
        version,
      });
      await io.out(values.json ? `${safeJson(document)}\n` : inspectText(document, path, io));
    } finally {
      progress.finish();
    }
  },
};

/** What `explain` would do with each column. */
function describe(
  table: Table,
  target: string | undefined,
  exclude: ReadonlySet<string>,
  keep: ReadonlySet<string>,
): Pick<InspectDocument, "task" | "target" | "columns" | "complete" | "diagnostics"> {
  for (const name of [...exclude, ...keep]) columnNamed(table, name);
  const others = table.columns.filter(({ name }) => name !== target && !exclude.has(name));
  const reasons = new Map(
    excludeColumns({ rows: table.rows, columns: others }, keep).map((e) => [e.name, e.reason]),
  );
  const columns = table.columns.map((column) => {
    const reason = exclude.has(column.name) ? "left out as asked" : reasons.get(column.name);
    const use = column.name === target ? "target" : reason === undefined ? "predictor" : "left out";
    return {
      ...columnSummary(column),
      use,
      reason: use === "left out" ? (reason ?? null) : null,
    } as const;
  });
  const used = table.columns.filter((_, j) => columns[j].use !== "left out");
  const chosen = target === undefined ? undefined : targetFromColumn(columnNamed(table, target));
  return {
    task: chosen?.target.task ?? null,
    target: target ?? null,
    columns,
    complete: completeRows(table.rows, used),
    diagnostics: [
      ...(chosen?.diagnostics ?? []),
      ...readingNotes(used),
      ...pooledLevelsNote(
        table,
        used.map(({ name }) => name).filter((name) => name !== target),
        Uint32Array.from({ length: table.rows }, (_, i) => i),
      ),
      ...missingNotes(used, table),
    ],
  };
}

function completeRows(rows: number, columns: readonly Column[]): number {
  const missing = new Uint8Array(rows);
  for (const column of columns)
    for (let i = 0; i < rows; i++)
      if (column.kind === "number" ? Number.isNaN(column.values[i]) : column.codes[i] < 0)
        missing[i] = 1;
  return rows - missing.reduce((sum, is) => sum + is, 0);
}

/** Where values are missing, most of them first. */
function missingNotes(columns: readonly Column[], { rows }: Table): Diagnostic[] {
  const counts = columns
    .map((column) => ({ name: column.name, missing: missingCount(column) }))
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => b.missing - a.missing);
  if (counts.length === 0) return [];
  const shown = counts.slice(0, 5).map(({ name, missing }) => `${name} (${missing})`);
  const more = counts.length > 5 ? [`and ${counts.length - 5} more`] : [];
  return [
    diagnostic(
      "missing-values",
      say`Values are missing in ${counts.length === 1 ? "1 column" : `${counts.length} columns`} of ${rows} rows: ${[...shown, ...more].join(", ")}.${clause` ${mention("missing", "drop")} leaves such rows out, mean fills the gaps, error refuses the table.`}`,
      { columns: counts.length },
    ),
  ];
}
