/**
 * The page of the simulation from what is recorded, without computing anything that is missing:
 *
 *     node studies/dist/simulation/page-run.js --out docs/studies
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dataFolder } from "../study/data-folder.ts";
import { studyPage } from "../study/page.ts";
import { runStudy } from "../study/run-study.ts";
import { simulationReport } from "./report.ts";
import { recordedRows } from "./simulation-rows.ts";
import { simulation } from "./study.ts";

const { values } = parseArgs({ options: { out: { type: "string", default: "." } } });
const { document, figures } = await runStudy(
  {
    ...simulation,
    run: async () => simulationReport(recordedRows(), { quick: false, permuted: false }),
  },
  {
    seed: 1,
    quick: false,
    permuted: false,
    data: dataFolder(undefined, "."),
    cores: availableParallelism(),
  },
);
mkdirSync(join(values.out, "figures"), { recursive: true });
const named = {
  ...document,
  figures: figures.map(({ name, caption }) => ({ name: `simulation-${name}`, caption })),
};
writeFileSync(join(values.out, "simulation.md"), studyPage(named));
for (const { name, svg } of figures)
  writeFileSync(join(values.out, "figures", `simulation-${name}.svg`), svg);
