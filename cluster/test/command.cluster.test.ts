import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderStore, runStatus } from "../src/index.ts";
import { temporaryFolder } from "./support/place.ts";
import { type Started, start, stop, until } from "./support/processes.ts";
import { type RedisServer, startRedis } from "./support/redis.ts";

const program = fileURLToPath(new URL("../../cli/bin/ratewise.mjs", import.meta.url));
const folder = temporaryFolder();
const store = join(folder, "store");
let redis: RedisServer;
let worker: Started;

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function ratewise(...argv: string[]): Promise<Printed> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...argv],
      { cwd: folder, maxBuffer: 2 ** 26 },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

async function startCommandWorker(): Promise<Started> {
  const started = start(process.execPath, [
    program,
    "worker",
    "--on",
    redis.on,
    "--store",
    store,
    "--workers",
    "2",
  ]);
  await until("the worker has begun", () => started.output().includes("worker-began"));
  return started;
}

beforeAll(async () => {
  mkdirSync(store);
  redis = await startRedis(folder);
  const normal = normals(fold(keyFromSeed(1), "table"));
  const rows = Array.from({ length: 300 }, () => {
    const x = Array.from({ length: 6 }, normal);
    return [...x, 2 * x[0] - x[1] * x[2] + 0.3 * normal()].join(",");
  });
  writeFileSync(join(folder, "table.csv"), `a,b,c,d,e,f,y\n${rows.join("\n")}\n`);
  worker = await startCommandWorker();
}, 60_000);
afterAll(async () => {
  await stop(worker);
  await redis.stop();
});

const on = (): string[] => ["--on", redis.on, "--store", store];

describe("the commands give the same bytes with --on", () => {
  test.each([
    [
      "explain",
      [
        "table.csv",
        "--target",
        "y",
        "--ensemble",
        "3",
        "--hidden",
        "8,4",
        "--select",
        "fdr=0.3",
        "--draws",
        "2",
      ],
    ],
    ["power", ["table.csv", "--target", "y", "--repeats", "2", "--causal", "2"]],
  ])("%s", async (command, argv) => {
    const here = await ratewise(command, ...argv, "--json");
    expect([here.code, here.err]).toEqual([0, expect.any(String)]);
    const there = await ratewise(command, ...argv, "--json", ...on());
    expect(there.code, there.err).toBe(0);
    expect(there.out).toBe(here.out);
    expect(there.err).toMatch(/run [0-9a-f]{12} on redis:/);
    expect(there.err).toMatch(/run [0-9a-f]{12}: (\d+) of \1 tasks done by 1 worker/);
  });

  test.each([
    ["the best kernels", []],
    ["--engine plain", ["--engine", "plain"]],
    ["--engine native", ["--engine", "native"]],
  ])("compare with %s, but for the seconds it took", async (_, engine) => {
    const argv = [
      ...["compare", "table.csv", "--target", "y", "--methods", "rate,gbm,lasso,group-lasso"],
      ...["--search", "2x2", "--hidden", "8", "--json", ...engine],
    ];
    const withoutSeconds = (out: string): string => out.replace(/"seconds":[\d.]+/g, "");
    const here = await ratewise(...argv);
    expect(here.code, here.err).toBe(0);
    const there = await ratewise(...argv, ...on());
    expect(there.code, there.err).toBe(0);
    expect(withoutSeconds(there.out)).toBe(withoutSeconds(here.out));
  });

  test("and the same folder", async () => {
    const argv = ["explain", "table.csv", "--target", "y", "--ensemble", "2", "--hidden", "4"];
    await ratewise(...argv, "--out", "here");
    const { code, err } = await ratewise(...argv, "--out", "there", ...on());
    expect(code, err).toBe(0);
    for (const name of ["result.json", "importance.csv", "model.ratewise"])
      expect(
        readFileSync(join(folder, "there", name)).equals(readFileSync(join(folder, "here", name))),
        name,
      ).toBe(true);
  });
});

test("the cells of a study run where --on says, and its numbers are what they have to be", async () => {
  const { code, err } = await ratewise("study", "simulation", "--quick", "--json", ...on());
  expect(code, err).toBe(0);
  expect(err).toMatch(/run [0-9a-f]{12}: 8 of 8 tasks done by 1 worker/);
}, 300_000);

describe("a run", () => {
  test("whose driver was killed is resumed with what was finished, and gives the same", async () => {
    const table = join(folder, "table.csv");
    const argv = ["explain", table, "--target", "y", "--ensemble", "4", "--hidden", "4", "--json"];
    const here = await ratewise(...argv);
    await stop(worker);
    const driver = start(process.execPath, [program, ...argv, ...on()]);
    const run = await until(
      "it has a name",
      () => /run ([0-9a-f]{12}) on/.exec(driver.output())?.[1],
    );
    const tasks = async () => (await runStatus(folderStore(store), run)).tasks;
    await until("it has asked for its tasks", async () => (await tasks()).asked === 4);
    await stop(driver, "SIGKILL");
    expect(driver.child.signalCode).toBe("SIGKILL");
    worker = await startCommandWorker();
    await until("they are done with nobody waiting", async () => (await tasks()).done === 4);
    const resumed = await ratewise("resume", run, "--store", store);
    expect(resumed.code, resumed.err).toBe(0);
    expect(resumed.out).toBe(here.out);
    expect(resumed.err).toContain("4 of them done before");
    const status = await ratewise("status", run, "--store", store);
    expect(status.out).toContain(`run ${run}: done`);
    expect(status.out).toContain("taken up again");
  });

  test("is listed, and one that is not there is told of", async () => {
    const all = await ratewise("status", "--store", store);
    expect(all.out).toMatch(/^run +state +tasks +command$/m);
    expect(all.out).toMatch(/^[0-9a-f]{12} {2}done +\d+\/\d+ {2}ratewise explain \S*table\.csv/m);
    const metrics = await ratewise("status", "--store", store, "--metrics");
    expect(metrics.out).toContain("# TYPE ratewise_tasks gauge");
    for (const command of ["status", "resume", "cancel"]) {
      const { code, err } = await ratewise(command, "0123456789ab", "--store", store);
      expect([code, err]).toEqual([1, expect.stringContaining('there is no run "0123456789ab"')]);
    }
  });
});
