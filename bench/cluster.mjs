// Overhead a task on every executor, and how much faster a sweep of the simulation is with two workers. Starts redis-server, PostgreSQL and Slurm
// itself (Debian: redis-server postgresql slurmctld slurmd slurm-client munge); one that is missing is a failed line.
//
// The sweep: cells of about a second, one thread a worker, the same cells for one worker and for two in every round. Workers stay, and are warm: each has
// done others before, which loads its modules, compiles its kernels and lets V8 optimise (a first cell takes twice its time); what a start costs is a line
// of its own. Virtual machines often give two programs less than twice what they give one, and workers cannot gain more: a round counts only where two
// programs that share nothing gained 1.8 right before and right after it. Every round is printed, with what the same cells gained in two processes with no
// queue between. `node bench/cluster.mjs 1` stops after one round.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folderStore, openClusterRun, readAttempts, submitPilots } from "@ratewise/cluster";
import { closeWorkers, fold, keyFromSeed, matrix, normals, version } from "@ratewise/core";
import { runTasks } from "@ratewise/core/parallel";
import { taskKinds } from "@ratewise/core/task-kinds";
import { createServer } from "vite";
import { scoreboard } from "./peer.mjs";
import { sweep } from "./sweep-cells.mjs";
import { openCoresProbe } from "./two-cores.mjs";

const CELLS = 10;
/** Of the control, which is no bar. */
const CONTROL_CELLS = 6;
const WARM = 2;
const TWICE = 1.8;
const ROUNDS = 3;
const MOST_ROUNDS = Number(process.argv[2] ?? 7);
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

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
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
  const forget = () => {
    said = "";
  };
  return { child, heard, forget };
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

/** Processes that know of no queue: `seconds` of the cells from seed `first` on, each doing its share. */
async function startControl(processes) {
  const cells = fileURLToPath(new URL("sweep-cells.mjs", import.meta.url));
  const started = Array.from({ length: processes }, (_, share) =>
    // The flag is that of a worker's processes.
    begin(["--single-threaded-gc", cells, ...[share, processes, WARM].map(String)]),
  );
  for (const { heard } of started) await heard("ready");
  return {
    async seconds(first) {
      const began = performance.now();
      for (const { child, forget } of started) {
        forget();
        child.stdin.write(`${first} ${CONTROL_CELLS}\n`);
      }
      for (const { heard } of started) await heard("done");
      return sinceSeconds(began);
    },
    stop() {
      for (const { child } of started) child.kill();
    },
  };
}

/** Workers of a store of their own that have done `warm`, and how long they take over other tasks. */
async function openEngine(
  on,
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
  await executor.run(warm);
  return {
    /** Seconds, and the share of them in which the workers were at tasks. */
    async time(tasks) {
      const before = (await readAttempts(store, run)).length;
      const began = performance.now();
      await executor.run(tasks);
      const seconds = sinceSeconds(began);
      const attempts = (await readAttempts(store, run)).slice(before);
      const atTasks = attempts.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
      return { seconds, busy: atTasks / (workers * seconds) };
    },
    async close() {
      await finish({ outcome: "done" });
      await stop();
    },
  };
}

/** Seconds that `tasks` take on an engine, after some that warm it up. */
async function timeOn(on, tasks, warm, options) {
  const engine = await openEngine(on, warm, options);
  try {
    return (await engine.time(tasks)).seconds;
  } finally {
    await engine.close();
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
  const probe = await openCoresProbe();
  if (!probe) throw new Error("the probe of the cores did not start");
  const [alone, pair] = [await startControl(1), await startControl(2)];
  const [one, two] = [
    await openEngine(on, sweep(WARM), { workers: 1 }),
    await openEngine(on, sweep(2 * WARM), { workers: 2 }),
  ];
  const counted = [];
  let rounds = 0;
  for (let before = await probe.gain(); counted.length < ROUNDS && rounds < MOST_ROUNDS; rounds++) {
    const first = 100 + CELLS * rounds;
    const second = await two.time(sweep(CELLS, first));
    const single = await one.time(sweep(CELLS, first));
    const after = await probe.gain();
    const control = (await alone.seconds(first)) / (await pair.seconds(first));
    const round = {
      gain: single.seconds / second.seconds,
      control,
      busyOne: single.busy,
      busyTwo: second.busy,
    };
    const free = Math.min(before, after) >= TWICE;
    if (free) counted.push(round);
    console.log(
      `  round ${rounds + 1}: two programs that share nothing gain ${before.toFixed(2)} before, ${after.toFixed(2)} after; ${single.seconds.toFixed(1)} s with 1 worker, ${second.seconds.toFixed(1)} s with 2: ${round.gain.toFixed(2)}; without a queue ${control.toFixed(2)}${free ? "" : " (not counted)"}`,
    );
    before = after;
  }
  for (const engine of [one, two]) await engine.close();
  for (const control of [alone, pair]) control.stop();
  probe.close();
  const of = (field) => median(counted.map((round) => round[field]));
  const enough = counted.length === ROUNDS;
  const many = `${counted.length} of ${rounds} rounds counted`;
  board.line("simulation sweep on Redis, 2 workers beside 1", enough ? of("gain") : null, {
    atLeast: TWICE,
    detail: enough
      ? `median; ${many}`
      : `two programs gained ${TWICE} in ${counted.length} of ${rounds} rounds, ${ROUNDS} are needed`,
  });
  if (counted.length === 0) return;
  board.line("control: without a queue, 2 processes beside 1", of("control"), { detail: many });
  board.line("share of the time at tasks, 1 worker", of("busyOne"));
  board.line("share of the time at tasks, 2 workers", of("busyTwo"));
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
    const seconds = await timeOn(redis.on, smallTasks(1), []);
    board.line("Redis, from a worker's start to its first result, seconds", sinceSeconds(began), {
      detail: `${seconds.toFixed(2)} s of it in the task's own process`,
    });
    overhead("Redis", await timeOn(redis.on, smallTasks(count), warmUp(4)));
    await sweepOn(redis);
  } finally {
    await redis.stop();
  }
});

await section("PostgreSQL", async () => {
  const { startPostgres } = await support("postgres");
  const { environment, on, stop } = await startPostgres(newFolder());
  try {
    overhead("PostgreSQL", await timeOn(on, smallTasks(count), warmUp(4), { environment }));
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
    overhead("Slurm, one task an element", await array(smallTasks(few), warmUp(1), 1), few);
    overhead("Slurm, 100 tasks an element", await array(smallTasks(count), warmUp(1), 100));
    const pilot = async (store) => {
      const command = [process.execPath, ...workerCommand(redis.on, store)];
      const job = await submitPilots(store, 1, command);
      return async () => void execFileSync("scancel", [job]);
    };
    overhead(
      "Slurm, a pilot behind Redis",
      await timeOn(redis.on, smallTasks(count), warmUp(4), { start: pilot }),
    );
  } finally {
    await redis.stop();
    await slurm.stop();
  }
});

await vite.close();
await closeWorkers();
rmSync(here, { recursive: true, force: true });
board.finish();
