// Overhead a task on every executor, and how much faster a sweep of the simulation is with two workers. Starts redis-server, PostgreSQL and Slurm
// itself (Debian: redis-server postgresql slurmctld slurmd slurm-client munge); one that is missing is a failed line.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderStore, openClusterRun } from "@ratewise/cluster";
import {
  closeWorkers,
  fold,
  keyFromSeed,
  matrix,
  normals,
  runTasks,
  taskKinds,
  version,
  WorkerPool,
} from "@ratewise/core";
import { simulationCell } from "@ratewise/studies";
import { createServer } from "vite";
import { scoreboard } from "./peer.mjs";

/** `node bench/cluster.mjs 4` sweeps over fewer. */
const CELLS = Number(process.argv[2] ?? 10);
const here = mkdtempSync(join(tmpdir(), "ratewise-bench-"));
chmodSync(here, 0o755); // PostgreSQL runs as a user of its own
const vite = await createServer({
  root: fileURLToPath(new URL("..", import.meta.url)),
  configFile: false,
  server: { middlewareMode: true, watch: null },
  appType: "custom",
  logLevel: "error",
});
/** The servers of the tests, which are TypeScript. */
const support = (name) => vite.ssrLoadModule(`/cluster/test/support/${name}.ts`);
const board = scoreboard("bench/cluster", { ratewise: version });
const count = 200;
let made = 0;
const newFolder = () => {
  const folder = join(here, `${made++}`);
  mkdirSync(folder);
  return folder;
};

const blockKind = taskKinds.find(({ kind }) => kind === "column-block");

/** Tasks with next to nothing to do, all different. */
function smallTasks(count) {
  const normal = normals(fold(keyFromSeed(1), "small"));
  const numbers = (n) => Float64Array.from({ length: n }, normal);
  return Array.from({ length: count }, () =>
    blockKind.task({
      X: matrix(4, 1, numbers(4)),
      hidden: matrix(4, 2, numbers(8)),
      engine: "plain",
    }),
  );
}

/** Others than those measured. */
const warmUp = (few) => smallTasks(count + few).slice(count);

const sweep = (seeds) =>
  Array.from({ length: seeds }, (_, k) =>
    simulationCell.task({
      link: "identity",
      rows: 3000,
      seed: k + 1,
      recipe: "paper",
      correlation: { kind: "independent" },
      members: 1,
    }),
  );

async function startWorkers(on, store, count, environment = {}) {
  const program = fileURLToPath(new URL("../cli/bin/ratewise.mjs", import.meta.url));
  const children = [];
  for (let k = 0; k < count; k++) {
    const child = spawn(
      process.execPath,
      [program, "worker", "--on", on, "--store", store.location, "--workers", "1"],
      { env: { ...process.env, ...environment }, stdio: ["ignore", "ignore", "pipe"] },
    );
    children.push(child);
    let said = "";
    await new Promise((resolve, reject) => {
      child.stderr.on("data", (chunk) => {
        said += chunk;
        if (said.includes("worker-began")) resolve();
      });
      child.on("exit", () => reject(new Error(said)));
    });
    child.removeAllListeners("exit");
  }
  return async () => {
    for (const child of children) {
      const gone = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGTERM");
      await gone;
    }
  };
}

/** Seconds that `tasks` take on an engine, after one that warms it up. */
async function secondsOn(
  on,
  tasks,
  warm,
  { workers = 1, environment = {}, store = folderStore(newFolder()) } = {},
) {
  const stop =
    on === "slurm" ? async () => {} : await startWorkers(on, store, workers, environment);
  const { executor, finish } = await openClusterRun({
    on,
    store,
    environment: { ...process.env, ...environment },
    argv: ["bench"],
    folder: here,
    say: () => {},
  });
  try {
    await executor.run(warm);
    const began = performance.now();
    await executor.run(tasks);
    return (performance.now() - began) / 1000;
  } finally {
    await finish({ outcome: "done" });
    await stop();
  }
}

const overhead = (name, seconds, tasks = count) =>
  board.line(`${name}, milliseconds a task`, (1000 * seconds) / tasks);

/** Measures one executor; one that cannot be started is a failed line. */
async function section(name, measure) {
  try {
    await measure();
  } catch (error) {
    board.line(name, null, { detail: `${error.message}`.split("\n")[0] });
  }
}

await section("threads", async () => {
  await runTasks(smallTasks(2), { workers: 1 });
  const began = performance.now();
  await runTasks(smallTasks(count), { workers: 1 });
  overhead("threads", (performance.now() - began) / 1000);
});

await section("Redis", async () => {
  const { startRedis } = await support("redis");
  const redis = await startRedis(newFolder());
  try {
    overhead("Redis", await secondsOn(redis.on, smallTasks(count), warmUp(4)));
    const cells = sweep(CELLS);
    const one = await secondsOn(redis.on, cells, sweep(CELLS + 1).slice(-1), { workers: 1 });
    const two = await secondsOn(redis.on, cells, sweep(CELLS + 2).slice(-2), { workers: 2 });
    board.line("simulation sweep on Redis, 2 workers beside 1", one / two, {
      atLeast: 1.8,
      detail: `${cells.length} cells, ${one.toFixed(1)} and ${two.toFixed(1)} s`,
    });
    const entry = new URL(
      import.meta.resolve("@ratewise/studies").replace(/index\.js$/, "worker.js"),
    );
    const pool = new WorkerPool({ size: 1, entry });
    await pool.run(sweep(CELLS + 1).slice(-1));
    const began = performance.now();
    await pool.run(cells, { workers: 1 });
    const thread = (performance.now() - began) / 1000;
    await pool.close();
    board.line("the sweep on Redis with 1 worker beside 1 thread", one / thread, {
      detail: `${one.toFixed(1)} and ${thread.toFixed(1)} s`,
    });
  } finally {
    await redis.stop();
  }
});

await section("PostgreSQL", async () => {
  const { startPostgres } = await support("postgres");
  const postgres = await startPostgres(newFolder());
  try {
    const { environment, on } = postgres;
    overhead("PostgreSQL", await secondsOn(on, smallTasks(count), warmUp(4), { environment }));
  } finally {
    await postgres.stop();
  }
});

await section("Slurm", async () => {
  const { startSlurm } = await support("slurm");
  const slurm = await startSlurm(newFolder());
  Object.assign(process.env, slurm.environment);
  try {
    const few = 12;
    const seconds = await secondsOn("slurm", smallTasks(few), warmUp(1));
    overhead("Slurm, one task an element", seconds, few);
  } finally {
    await slurm.stop();
  }
});

await vite.close();
await closeWorkers();
rmSync(here, { recursive: true, force: true });
board.finish();
