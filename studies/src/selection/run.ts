/**
 * Reruns every table of the selection study, and keeps every data set's values in a journal:
 *
 *     node studies/dist/selection/run.js --journal studies/results/selection.jsonl
 */
import { parseArgs } from "node:util";
import { findingsText, markdownTable } from "../study/page.ts";
import { sweep, sweepOptions } from "../sweep.ts";
import type { KnockoffRequest } from "./knockoff-cell.ts";
import { selectionRequests, tables } from "./requests.ts";
import { nullTable, selectionFindings, selectionTable, summariseSelection } from "./summary.ts";
import { type SelectionRequest, type SelectionResult, selectionCell } from "./task.ts";

const { values } = parseArgs({
  options: {
    ...sweepOptions,
    journal: { type: "string", default: "selection.jsonl" },
    tables: { type: "string", default: tables.join(",") },
  },
});

const requests = selectionRequests({
  tables: values.tables.split(","),
  rows: values.rows.split(",").map(Number),
  links: values.link.split(",") as KnockoffRequest["link"][],
  seeds: Number(values.seeds),
});

const identity = (row: SelectionRequest): string =>
  JSON.stringify(
    row.study === "knockoffs"
      ? [
          ...[row.study, row.link, row.rows, row.seed, row.recipe],
          ...[row.correlation, row.method, row.members, row.fdr],
        ]
      : [row.study, row.rows, row.variables, row.seed, row.fdr],
  );

const { asked } = await sweep<SelectionRequest, SelectionResult>(
  { requests, identity, kind: selectionCell },
  values,
);
const summaries = summariseSelection(asked);
const found = [selectionTable(summaries), nullTable(asked)].filter(({ rows }) => rows.length > 0);
const shown = [...found.map(markdownTable), findingsText(selectionFindings(summaries))];
process.stdout.write(`${shown.join("\n\n")}\n`);
