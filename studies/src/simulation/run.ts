/**
 * Runs cells of the paper's simulation and keeps every seed's values in a journal:
 *
 *     node studies/dist/simulation/run.js --journal results.jsonl --recipe standard --rows 3000,10000 --seeds 25
 */
import { parseArgs } from "node:util";
import { version } from "@ratewise/core";
import type { RecipeName } from "@ratewise/core/network";
import { openJournal } from "../journal.ts";
import { openSweep } from "../sweep-executor.ts";
import { barsTable } from "./bars.ts";
import { type CellRequest, type CellResult, runCell } from "./cell.ts";
import { summarise, summaryTable } from "./summary.ts";
import { simulationCell } from "./task.ts";

const { values } = parseArgs({
  options: {
    journal: { type: "string", default: "simulation.jsonl" },
    recipe: { type: "string", default: "paper,standard" },
    link: { type: "string", default: "identity,logistic" },
    rows: { type: "string", default: "3000,10000,30000,100000" },
    seeds: { type: "string", default: "25" },
    members: { type: "string", default: "5" },
    correlation: { type: "string", default: "independent" },
    /** Cells at once, here or on a cluster. */
    workers: { type: "string", default: "2" },
    on: { type: "string", default: "local" },
    store: { type: "string" },
    /** All of the journal beside what is asked of it. */
    bars: { type: "boolean", default: false },
  },
});

const correlations: Record<string, CellRequest["correlation"]> = {
  independent: { kind: "independent" },
  autoregressive: { kind: "autoregressive", rho: 0.5 },
  blocks: { kind: "blocks", size: 5, rho: 0.8 },
};

const requests: CellRequest[] = [];
for (const correlation of values.correlation.split(","))
  for (const recipe of values.recipe.split(","))
    for (const rows of values.rows.split(",").map(Number))
      for (const link of values.link.split(","))
        for (let seed = 1; seed <= Number(values.seeds); seed++)
          requests.push({
            link: link as CellRequest["link"],
            rows,
            seed,
            recipe: recipe as RecipeName,
            correlation: correlations[correlation],
            members: Number(values.members),
          });

const identity = ({ link, rows, seed, recipe, correlation, members }: CellRequest): string =>
  JSON.stringify([link, rows, seed, recipe, correlation, members]);

const journal = openJournal<CellResult & { version: string }>(values.journal);
const done = new Set(journal.rows.map(identity));
const missing = requests.filter((request) => !done.has(identity(request)));
const workers = Number(values.workers);
const pool = await openSweep({ on: values.on, store: values.store, workers });

// Chunks of one task a worker, so that what is finished is on disk soon.
const queue = [...missing];
await Promise.all(
  Array.from({ length: Math.max(1, workers) }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [result] =
        workers > 0 ? await pool.run([simulationCell.task(next)]) : [await runCell(next)];
      journal.add({ ...result, version });
      process.stderr.write(
        `${missing.length - queue.length}/${missing.length} ${identity(next)}\n`,
      );
    }
  }),
);
await pool.close();
const wanted = new Set(requests.map(identity));
const results = journal.rows.filter((row) => wanted.has(identity(row)));
const summaries = summarise(results);
process.stdout.write(`${summaryTable(summaries)}\n`);
if (values.bars) process.stdout.write(`\n${barsTable(summarise(journal.rows))}\n`);
