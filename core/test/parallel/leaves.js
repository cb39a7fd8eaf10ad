/** A program that closes nothing: it must end by itself, with a pool that was used and workers on lease. */
import * as main from "@ratewise/core";
import * as parallel from "@ratewise/core/parallel";
import { adder, defineTestTasks } from "./tasks.js";

const core = { ...main, ...parallel };
const { draw } = defineTestTasks(core);
const pool = new core.WorkerPool({ size: 2, entry: new URL("./worker.js", import.meta.url) });
const draws = await core.runTasks([draw.task({ label: "a" }), draw.task({ label: "b" })], {
  executor: pool,
});
const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
const lease = pool.lease(adder, 3, { memory, step: 1 });
await lease.started;
process.stdout.write(`${draws.length} results, ${lease.count} on lease`);
