/**
 * Ranks the data sets of the paper's simulation by all of its methods and keeps every one's values in a journal. One after another, so that
 * processor time is theirs; another process with another --link may write to the same journal:
 *
 *     node studies/dist/simulation/methods-run.js --journal studies/results/methods.jsonl --rows 3000,10000
 */
import { parseArgs } from "node:util";
import { version } from "@ratewise/core";
import type { RecipeName } from "@ratewise/core/network";
import { openJournal } from "../journal.ts";
import { type MethodsRequest, type MethodsResult, runMethodsCell } from "./methods-cell.ts";
import { nextRequest } from "./methods-requests.ts";
import type { DataSet } from "./trained-data-set.ts";

const { values } = parseArgs({
  options: {
    journal: { type: "string", default: "methods.jsonl" },
    /** `rank`: all rankings without a search; `times`: the parts of RATE on the clock; `search` and `searched`: mimics with a search. */
    parts: { type: "string", default: "rank,times,search,searched" },
    recipe: { type: "string", default: "paper,standard" },
    link: { type: "string", default: "identity,logistic" },
    rows: { type: "string", default: "3000,10000,30000,100000" },
    seeds: { type: "string", default: "25" },
  },
});

const plan = {
  parts: values.parts.split(",") as MethodsRequest["study"][],
  recipes: values.recipe.split(",") as RecipeName[],
  links: values.link.split(",") as DataSet["link"][],
  rows: values.rows.split(",").map(Number),
  seeds: Number(values.seeds),
  first: 1,
  permuted: false,
};
const journal = openJournal<MethodsResult & { version: string }>(values.journal);
for (let next = nextRequest(plan, journal.rows); next; next = nextRequest(plan, journal.rows)) {
  journal.add({ ...(await runMethodsCell(next)), version });
  const { study, recipe, link, rows, seed } = next;
  process.stderr.write(`${study} ${recipe} ${link} ${rows} ${seed}\n`);
}
