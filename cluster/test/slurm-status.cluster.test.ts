import { execFile, execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  cancelRun,
  folderStore,
  listRuns,
  readAttempts,
  reportLines,
  runStatus,
  type Store,
} from "../src/index.ts";
import { gated, sum } from "./support/kinds.js";
import { attemptUnderWay, newGate, newStore, openRun, temporaryFolder } from "./support/place.ts";
import { isAlive, until } from "./support/processes.ts";
import { type SlurmCluster, startSlurm } from "./support/slurm.ts";

const folder = temporaryFolder();
const slurmFolder = temporaryFolder();
const entry = new URL("./support/task-process.js", import.meta.url);
const program = fileURLToPath(new URL("../../cli/bin/ratewise.mjs", import.meta.url));
let slurm: SlurmCluster;
beforeAll(async () => {
  slurm = await startSlurm(slurmFolder);
  Object.assign(process.env, slurm.environment);
}, 60_000);
afterAll(async () => {
  await slurm.stop();
  delete process.env.SLURM_CONF;
});

/** More than the four cores have room for, each held at the same gate. */
async function sixHeld(store: Store) {
  const gate = newGate(folder);
  const tasks = [1, 4, 9, 16, 25, 36].map((value) =>
    gated.task({ value, began: gate.began, gate: gate.gate }),
  );
  const opened = await openRun("slurm", store, { entry });
  const results = opened.executor.run(tasks);
  results.catch(() => {});
  await until(
    "four have begun",
    async () => (await runStatus(store, opened.run)).tasks.running === 4,
  );
  return { ...opened, gate, results };
}

test("status shows what Slurm has of a run: pending, running, ended", async () => {
  const store = newStore(folder);
  const { run, gate, results, finish } = await sixHeld(store);
  const held = await runStatus(store, run);
  expect(held.state).toBe("running");
  expect(held.slurm).toEqual({ pending: 2, running: 4, ended: 0 });
  gate.open();
  await results;
  await until(
    "Slurm has let go of all",
    async () => (await runStatus(store, run)).slurm?.ended === 6,
  );
  const done = await finish({ outcome: "done" });
  expect([done.state, done.workers.length, done.hosts.length]).toEqual(["done", 6, 1]);
  expect(reportLines(done)[0]).toContain("by 6 elements of Slurm arrays on 1 node");
});

test("a run cancelled on Slurm has tasks that were cancelled, none that died", async () => {
  const store = newStore(folder);
  const { run, results, finish } = await sixHeld(store);
  expect((await cancelRun(store, run, process.env)).state).toBe("cancelled");
  await expect(results).rejects.toThrow(`run ${run} was cancelled`);
  const outcomes = await until("all have ended", async () => {
    const attempts = await readAttempts(store, run);
    return attempts.every(({ outcome }) => outcome) && attempts.map(({ outcome }) => outcome);
  });
  expect(outcomes).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
  expect((await finish({ outcome: "failed" })).state).toBe("cancelled");
});

test("elements that somebody else ended are given out again, and the numbers agree", async () => {
  const store = newStore(folder);
  const { run, gate, results, finish } = await sixHeld(store);
  execFileSync("scancel", [`--name=ratewise-${run}`]);
  await until("the four have ended", async () =>
    (await readAttempts(store, run)).slice(0, 4).every(({ outcome }) => outcome === "died"),
  );
  gate.open();
  await results;
  const status = await finish({ outcome: "done" });
  const again = status.events.filter(({ event }) => event === "given-out-again");
  const numbers = again.map(({ message }) =>
    /^(\d+) tasks? that no worker had any more w.+ given out again \((\d+) of them had been begun\)$/
      .exec(message)!
      .slice(1)
      .map(Number),
  );
  const given = numbers.reduce((total, [all]) => total + all, 0);
  const begun = numbers.reduce((total, [, some]) => total + some, 0);
  expect([given, begun]).toEqual([6, 4]);
  expect(status.retries).toBe(begun);
  for (const { reasons } of status.retried)
    expect(reasons[0]).toMatch(/Slurm ended it \(its time limit, or scancel\)$/);
});

test("a task that Slurm ends at every attempt, as at a time limit, fails the run by name", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const { run, executor, finish } = await openRun("slurm", store, { entry });
  const failed = executor
    .run([gated.task({ value: 4, began: gate.began, gate: gate.gate })])
    .catch(({ message }: Error) => message);
  for (let attempt = 0; attempt < 4; attempt++) {
    await attemptUnderWay(store, run, attempt);
    execFileSync("scancel", [`--name=ratewise-${run}`]);
  }
  expect(await failed).toMatch(
    /task 0 \("test-gated"\).*Slurm ended it \(its time limit, or scancel\).* after 4 attempts/,
  );
  expect((await finish({ outcome: "failed" })).retries).toBe(3);
});

test("where Slurm is not to be had nothing is begun, and nothing is cancelled", async () => {
  const store = newStore(folder);
  const gate = newGate(folder);
  const { run, executor, finish } = await openRun("slurm", store, { entry });
  const results = executor.run([gated.task({ value: 4, began: gate.began, gate: gate.gate })]);
  await until("the task has begun", () => existsSync(gate.began));
  const { taskPid } = await attemptUnderWay(store, run);
  const { PATH } = process.env;
  process.env.PATH = folder;
  try {
    const missing = "slurm: needs scontrol, which is not installed here";
    await expect(cancelRun(store, run, process.env)).rejects.toThrow(missing);
    const other = newStore(folder);
    await expect(openRun("slurm", other, { entry })).rejects.toThrow(missing);
    expect(await listRuns(other)).toEqual([]);
  } finally {
    process.env.PATH = PATH;
  }
  expect((await runStatus(store, run)).state).toBe("running");
  expect(isAlive(taskPid)).toBe(true);
  gate.open();
  expect(await results).toEqual([Float64Array.of(4, 2)]);
  await finish({ outcome: "done" });
});

test("a partition that is not there fails the run in one line that does not blame the table", async () => {
  const rows = Array.from({ length: 60 }, (_, k) => [k % 7, (k * k) % 11, k].join(","));
  writeFileSync(join(folder, "t.csv"), `a,b,y\n${rows.join("\n")}\n`);
  const store = newStore(folder).location;
  const { code, err } = await new Promise<{ code: number; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [
        ...[program, "explain", "t.csv", "--target", "y", "--ensemble", "2", "--hidden", "2"],
        ...["--on", "slurm", "--store", store],
      ],
      { cwd: folder, env: { ...process.env, SBATCH_PARTITION: "nowhere" } },
      (error, _, err) => resolve({ code: Number(error?.code ?? 0), err }),
    );
  });
  expect(code).toBe(1);
  const said = err.trimEnd().split("\n").at(-1)!;
  expect(said).toMatch(/^ratewise: slurm: sbatch failed: .*partition/);
  expect(said).not.toMatch(/\\u\{|t\.csv:/);
  const [{ run }] = await listRuns(folderStore(store));
  const { state, events, slurm } = await runStatus(folderStore(store), run);
  expect([state, slurm?.ended]).toEqual(["failed", 0]);
  expect(events.at(-1)?.message).toContain("sbatch failed");
});

test("tasks found done take nothing of Slurm", async () => {
  const store = newStore(folder);
  const tasks = [sum.task({ values: Float64Array.of(1, 2) })];
  const first = await openRun("slurm", store, { entry });
  await first.executor.run(tasks);
  await first.finish({ outcome: "done" });
  const second = await openRun("slurm", store, { entry });
  expect(await second.executor.run(tasks)).toEqual([{ sum: 3 }]);
  const { tasks: counts, bytes, state, slurm } = await runStatus(store, second.run);
  expect([counts.found, bytes.payloads, state]).toEqual([1, 0, "running"]);
  expect(slurm).toEqual({ pending: 0, running: 0, ended: 0 });
  await second.finish({ outcome: "done" });
});
