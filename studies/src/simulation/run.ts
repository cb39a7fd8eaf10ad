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
import { type CellRequest, type CellResult, runCell } from "./cell.ts";
import { summarise, summaryTable } from "./summary.ts";
import { simulationCell } from "./task.ts";

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

const { asked, all } = await sweep<CellRequest, CellResult>(
  { requests, identity, kind: simulationCell, here: runCell },
  values,
);
const tables = [
  summaryTable(summarise(asked)),
  ...(values.bars ? [barsTable("Bars", barRows(summarise(all)))] : []),
];
process.stdout.write(`${tables.map(markdownTable).join("\n\n")}\n`);
