/**
 * Reruns every table of the selection study, and keeps every data set's values in a journal:
 *
 *     node studies/dist/selection/run.js --journal studies/results/selection.jsonl
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { version } from "@ratewise/core";
import { openJournal } from "../journal.ts";
import { openSweep } from "../sweep-executor.ts";
import { selectionPage } from "./page.ts";
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
    journal: { type: "string", default: "selection.jsonl" },
    tables: { type: "string", default: tables.join(",") },
    rows: { type: "string", default: "3000,10000,30000,100000" },
    link: { type: "string", default: "identity,logistic" },
    seeds: { type: "string", default: "25" },
    /** Cells at once, here or on a cluster. */
    workers: { type: "string", default: "2" },
    on: { type: "string", default: "local" },
    store: { type: "string" },
    /** A file for the page of all that the journal holds. */
    page: { type: "string" },
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
          row.study,
          row.link,
          row.rows,
          row.seed,
          row.recipe,
          row.correlation,
          row.method,
          row.members,
          row.fdr,
        ]
      : [row.study, row.rows, row.variables, row.seed, row.fdr],
  );

const journal = openJournal<SelectionResult & { version: string }>(values.journal);
const done = new Set(journal.rows.map(identity));
const queue = requests.filter((request) => !done.has(identity(request)));
const count = queue.length;
const workers = Number(values.workers);
const pool = await openSweep({ on: values.on, store: values.store, workers });
await Promise.all(
  Array.from({ length: Math.max(1, workers) }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [result] =
        workers > 0 ? await pool.run([selectionCell.task(next)]) : [await runSelectionCell(next)];
      journal.add({ ...result, version });
      process.stderr.write(`${count - queue.length}/${count} ${identity(next)}\n`);
    }
  }),
);
await pool.close();
const wanted = new Set(requests.map(identity));
const results = journal.rows.filter((row) => wanted.has(identity(row)));
const parts = [selectionTable(summariseSelection(results)), nullTable(results)];
process.stdout.write(`${parts.filter((part) => part !== "").join("\n\n")}\n`);
if (values.page !== undefined) writeFileSync(values.page, selectionPage(journal.rows));
