// Cells of the paper's simulation, and a process that does some of them with no queue between: the control of bench/cluster.mjs.
//   node bench/sweep-cells.mjs 0 2 2   warms up with 2 cells and says "ready"; told "7 10" it does every second of the 10 from seed 7 on and says "done"
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { enterWorker } from "@ratewise/core/parallel";
import { simulationCell } from "@ratewise/studies";

/** `seeds` cells of 20,000 rows, about a second each, from seed `first` on. */
export const sweep = (seeds, first = 1) =>
  Array.from({ length: seeds }, (_, k) =>
    simulationCell.task({
      link: "identity",
      rows: 20_000,
      seed: first + k,
      recipe: "paper",
      correlation: { kind: "independent" },
      members: 1,
    }),
  );

async function perform(tasks) {
  for (const { payload } of tasks) await simulationCell.run(payload, { id: "", onProgress() {} });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterWorker(); // one thread, as in a worker of the queue
  const [share, of, warm] = process.argv.slice(2).map(Number);
  await perform(sweep(warm));
  console.log("ready");
  for await (const line of createInterface(process.stdin)) {
    const [first, seeds] = line.split(" ").map(Number);
    await perform(sweep(seeds, first).filter((_, k) => k % of === share));
    console.log("done");
  }
}
