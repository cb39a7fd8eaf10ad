/**
 * How often 90% intervals of each posterior hold the truth, over seeds 1, 2, 3 …; one line per data set is kept:
 *
 *     node studies/dist/calibration/run.js --journal studies/results/calibration.jsonl --seeds 50 --path-seeds 10
 */
import { parseArgs } from "node:util";
import { version } from "@ratewise/core";
import { openJournal } from "../journal.ts";
import { markdownTable } from "../study/page.ts";
import type { CoverageRow } from "./coverage.ts";
import { modelHolds } from "./model-holds.ts";
import { coverageTable, summariseCoverage } from "./summary.ts";
import { wholePath } from "./whole-path.ts";

const { values } = parseArgs({
  options: {
    journal: { type: "string", default: "calibration.jsonl" },
    seeds: { type: "string", default: "50" },
    "path-seeds": { type: "string", default: "10" },
  },
});

const journal = openJournal<{ rows: CoverageRow[]; version: string }>(values.journal);
const done = new Set(journal.rows.map(({ rows: [first] }) => `${first.setting} ${first.seed}`));
const parts = [
  { setting: "model holds", seeds: Number(values.seeds), compute: modelHolds },
  { setting: "paper's simulation", seeds: Number(values["path-seeds"]), compute: wholePath },
];
for (const { setting, seeds, compute } of parts)
  for (let seed = 1; seed <= seeds; seed++) {
    if (done.has(`${setting} ${seed}`)) continue;
    journal.add({ rows: await compute(seed), version });
    process.stderr.write(`${setting} ${seed}/${seeds}\n`);
  }
const summaries = summariseCoverage(journal.rows.flatMap(({ rows }) => rows));
process.stdout.write(`${markdownTable(coverageTable(summaries))}\n`);
