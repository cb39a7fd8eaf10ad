/**
 * Reruns every table of the selection study, and keeps every data set's values in a journal:
 *
 *     node studies/dist/selection/run.js --journal studies/results/selection.jsonl
 */
import { parseArgs } from "node:util";
import { markdownTable } from "../study/page.ts";
import { sweep, sweepOptions } from "../sweep.ts";
import { selectionRequests, tables } from "./requests.ts";
import { nullTable, selectionTable, summariseSelection } from "./summary.ts";
import {
  runSelectionCell,
  type SelectionRequest,
  type SelectionResult,
  selectionCell,
} from "./task.ts";

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
  links: values.link.split(","),
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
  { requests, identity, kind: selectionCell, here: runSelectionCell },
  values,
);
const shown = [selectionTable(summariseSelection(asked)), nullTable(asked)];
const filled = shown.filter(({ rows }) => rows.length > 0);
process.stdout.write(`${filled.map(markdownTable).join("\n\n")}\n`);
