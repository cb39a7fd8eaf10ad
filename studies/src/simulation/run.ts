/**
 * Runs cells of the paper's simulation and keeps every seed's values in a journal:
 *
 *     node studies/dist/simulation/run.js --journal results.jsonl --recipe standard --rows 3000,10000 --seeds 25
 */
import { parseArgs } from "node:util";
import type { RecipeName } from "@ratewise/core/network";
import { markdownTable } from "../study/page.ts";
import { sweep, sweepOptions } from "../sweep.ts";
import { barRows, barsTable } from "./bars.ts";
import { type CellRequest, type CellResult, simulationCell } from "./cell.ts";
import { cellIdentity, cellRequests } from "./cell-requests.ts";
import { summarise, summaryTable } from "./summary.ts";

const { values } = parseArgs({
  options: {
    ...sweepOptions,
    journal: { type: "string", default: "simulation.jsonl" },
    recipe: { type: "string", default: "paper,standard" },
    members: { type: "string", default: "5" },
    correlation: { type: "string", default: "independent" },
    /** All of the journal beside what is asked of it. */
    bars: { type: "boolean", default: false },
  },
});

const correlations: Record<string, CellRequest["correlation"]> = {
  independent: { kind: "independent" },
  autoregressive: { kind: "autoregressive", rho: 0.5 },
  blocks: { kind: "blocks", size: 5, rho: 0.8 },
};

const requests = cellRequests({
  recipes: values.recipe.split(",") as RecipeName[],
  rows: values.rows.split(",").map(Number),
  links: values.link.split(",") as CellRequest["link"][],
  correlations: values.correlation.split(",").map((name) => correlations[name]),
  ...{ seeds: Number(values.seeds), first: 1, members: Number(values.members) },
});
const { asked, all } = await sweep<CellRequest, CellResult>(
  { requests, identity: cellIdentity, kind: simulationCell },
  values,
);
const tables = [
  summaryTable(summarise(asked)),
  ...(values.bars ? [barsTable("Bars", barRows(summarise(all)))] : []),
];
process.stdout.write(`${tables.map(markdownTable).join("\n\n")}\n`);
