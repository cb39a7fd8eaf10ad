// Overhead a task on every executor, and how much faster a sweep of the simulation is with two workers. Starts redis-server, PostgreSQL and Slurm
// itself (Debian: redis-server postgresql slurmctld slurmd slurm-client munge); one that is missing is a failed line.
//
// The sweep: 40 cells of about a second, the same for all, one thread a worker. Workers are warm: each has done two other cells before the clock starts, which
// loads its modules, compiles its kernels and lets V8 optimise (a first cell takes twice its time); what a start costs is a line of its own. Virtual machines seldom
// give two programs twice what they give one: the control does the same cells in one process, and in two that each have half of them, with no queue between.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderStore, openClusterRun, readAttempts, submitPilots } from "@ratewise/cluster";
import {
  closeWorkers,
  fold,
  keyFromSeed,
  matrix,
  normals,
  runTasks,
  taskKinds,
  version,
} from "@ratewise/core";
import { createServer } from "vite";
import { scoreboard } from "./peer.mjs";
import { sweep } from "./sweep-cells.mjs";

/** `node bench/cluster.mjs 4` sweeps over fewer. */
const CELLS = Number(process.argv[2] ?? 40);
const WARM = 2;
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

const sinceSeconds = (began) => (performance.now() - began) / 1000;

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

const program = fileURLToPath(new URL("../cli/bin/ratewise.mjs", import.meta.url));
const workerCommand = (on, store) => [
  ...[program, "worker", "--on", on, "--store", store.location],
  ...["--workers", "1"],
];

/** A process of our own, and waiting until it has said something. */
function begin(argv, environment = {}) {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
      child.emit("said");
    });
  child.on("exit", () => child.emit("said"));
  const heard = async (word) => {
    while (!said.includes(word)) {
      if (child.exitCode !== null) throw new Error(said);
      await once(child, "said");
    }
  };
  return { child, heard };
}

async function startWorkers(on, store, count, environment = {}) {
  const started = Array.from({ length: count }, () => begin(workerCommand(on, store), environment));
  for (const { heard } of started) await heard("worker-began");
  return async () => {
    for (const { child } of started) {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    }
  };
}

/** Seconds of the sweep in processes that know of no queue. */
async function secondsAlone(processes) {
  const cells = fileURLToPath(new URL("sweep-cells.mjs", import.meta.url));
  const started = Array.from({ length: processes }, (_, share) =>
    // The flag is that of a worker's processes.
    begin(["--single-threaded-gc", cells, ...[share, processes, CELLS, WARM].map(String)]),
  );
  for (const { heard } of started) await heard("ready");
  const began = performance.now();
  for (const { child } of started) child.stdin.write("go\n");
  for (const { heard } of started) await heard("done");
  return sinceSeconds(began);
}

/** Seconds that `tasks` take on an engine, after some that warm it up, and the share of them in which its workers were at tasks. */
async function timeOn(
  on,
  tasks,
  warm,
  { workers = 1, environment = {}, start, tasksPerElement } = {},
) {
  const store = folderStore(newFolder());
  const stop = await (start?.(store) ?? startWorkers(on, store, workers, environment));
  const { run, executor, finish } = await openClusterRun({
    on,
    store,
    environment: { ...process.env, ...environment },
    argv: ["bench"],
    folder: here,
    ...(tasksPerElement && { tasksPerElement }),
    say: () => {},
  });
  try {
    await executor.run(warm);
    const began = performance.now();
    await executor.run(tasks);
    const seconds = sinceSeconds(began);
    const attempts = (await readAttempts(store, run)).slice(warm.length);
    const atTasks = attempts.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    return { seconds, busy: atTasks / (workers * seconds) };
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

async function sweepOn({ on }) {
  const queued = (workers) =>
    timeOn(on, sweep(CELLS), sweep(WARM * workers, CELLS + 1), { workers });
  // The two of each kind are neighbours, so that they meet the same weather.
  const aloneTwo = await secondsAlone(2);
  const two = await queued(2);
  const aloneOne = await secondsAlone(1);
  const one = await queued(1);
  const detail = (first, second) =>
    `${CELLS} cells, ${first.toFixed(1)} and ${second.toFixed(1)} s`;
  const busy = ({ busy }) => `at tasks ${(100 * busy).toFixed(1)} % of the time`;
  board.line("control: the sweep without a queue, 2 processes beside 1", aloneOne / aloneTwo, {
    detail: detail(aloneOne, aloneTwo),
  });
  board.line("simulation sweep on Redis, 2 workers beside 1", one.seconds / two.seconds, {
    atLeast: 1.8,
    detail: detail(one.seconds, two.seconds),
  });
  board.line("1 worker beside 1 process without a queue", one.seconds / aloneOne, {
    detail: busy(one),
  });
  board.line("2 workers beside 2 processes without a queue", two.seconds / aloneTwo, {
    detail: busy(two),
  });
}

await section("threads", async () => {
  await runTasks(smallTasks(2), { workers: 1 });
  const began = performance.now();
  await runTasks(smallTasks(count), { workers: 1 });
  overhead("threads", sinceSeconds(began));
});

await section("Redis", async () => {
  const { startRedis } = await support("redis");
  const redis = await startRedis(newFolder());
  try {
    const began = performance.now();
    const { seconds } = await timeOn(redis.on, smallTasks(1), []);
    board.line("Redis, from a worker's start to its first result, seconds", sinceSeconds(began), {
      detail: `${seconds.toFixed(2)} s of it in the task's own process`,
    });
    overhead("Redis", (await timeOn(redis.on, smallTasks(count), warmUp(4))).seconds);
    await sweepOn(redis);
  } finally {
    await redis.stop();
  }
});

await section("PostgreSQL", async () => {
  const { startPostgres } = await support("postgres");
  const { environment, on, stop } = await startPostgres(newFolder());
  try {
    const { seconds } = await timeOn(on, smallTasks(count), warmUp(4), { environment });
    overhead("PostgreSQL", seconds);
  } finally {
    await stop();
  }
});

await section("Slurm", async () => {
  const { startSlurm } = await support("slurm");
  const { startRedis } = await support("redis");
  const slurm = await startSlurm(newFolder());
  Object.assign(process.env, slurm.environment);
  const redis = await startRedis(newFolder());
  const nobody = async () => async () => {};
  try {
    const few = 12;
    const array = (tasks, warm, tasksPerElement) =>
      timeOn("slurm", tasks, warm, { start: nobody, tasksPerElement });
    overhead(
      "Slurm, one task an element",
      (await array(smallTasks(few), warmUp(1), 1)).seconds,
      few,
    );
    overhead(
      "Slurm, 100 tasks an element",
      (await array(smallTasks(count), warmUp(1), 100)).seconds,
    );
    const pilot = async (store) => {
      const command = [process.execPath, ...workerCommand(redis.on, store)];
      const job = await submitPilots(store, 1, command);
      return async () => void execFileSync("scancel", [job]);
    };
    const { seconds } = await timeOn(redis.on, smallTasks(count), warmUp(4), { start: pilot });
    overhead("Slurm, a pilot behind Redis", seconds);
  } finally {
    await redis.stop();
    await slurm.stop();
  }
});

await vite.close();
await closeWorkers();
rmSync(here, { recursive: true, force: true });
board.finish();
