import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import {
  type AttemptRecord,
  type ClusterRun,
  type ClusterRunOptions,
  folderStore,
  openClusterRun,
  readAttempts,
  type Store,
} from "../../src/index.ts";
import { type Started, start, stop, until } from "./processes.ts";

/** A folder of its own for a test file, gone afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ratewise-cluster-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let made = 0;

/** A new, empty store below `folder`. */
export function newStore(folder: string): Store {
  const path = join(folder, `store-${made++}`);
  mkdirSync(path);
  return folderStore(path);
}

export interface WorkerRequest {
  readonly on: string;
  readonly store: Store;
  readonly workers?: number;
  /** ms. */
  readonly lock?: number;
  readonly cacheFolder?: string;
  /** With the product's own closed list of tasks instead of the tests'. */
  readonly own?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

const workers = new Set<Started>();
afterAll(async () => {
  for (const worker of workers) await stop(worker, "SIGKILL");
});

/** A worker as a process of its own, with a short lock so that tests are short. */
export async function startWorker({
  store,
  environment,
  ...request
}: WorkerRequest): Promise<Started> {
  const worker = start(
    process.execPath,
    [
      fileURLToPath(new URL("./worker.js", import.meta.url)),
      JSON.stringify({ workers: 1, lock: 2000, ...request, store: store.location }),
    ],
    { env: { ...process.env, ...environment } },
  );
  workers.add(worker);
  await until("the worker has begun", () => {
    if (worker.child.exitCode !== null) throw new Error(worker.output());
    return worker.output().includes("worker-began");
  });
  return worker;
}

/** Every line of a worker's log. */
export function logOf(worker: Started): Record<string, unknown>[] {
  return worker
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A driver with nothing to say, quick to look. */
export function openRun(
  on: string,
  store: Store,
  options: Partial<ClusterRunOptions> = {},
): Promise<ClusterRun> {
  return openClusterRun({
    on,
    store,
    environment: process.env,
    argv: ["explain", "table.csv"],
    folder: tmpdir(),
    say: () => {},
    lookEvery: 500,
    inspectEvery: 500,
    ...options,
  });
}

/** Files by which a test holds a task up, and learns where it runs. */
export interface Gate {
  readonly began: string;
  readonly gate: string;
  open(): void;
}

export function newGate(folder: string): Gate {
  const [began, gate] = ["began", "gate"].map((name) => join(folder, `${name}-${made++}`));
  return { began, gate, open: () => writeFileSync(gate, "") };
}

/** The attempt at a gated task that is under way, after so many others at it. */
export function attemptUnderWay(store: Store, run: string, others = 0): Promise<AttemptRecord> {
  return until("the gated task has begun", async () => {
    const attempts = await readAttempts(store, run);
    const gated = attempts.filter(({ kind }) => kind === "test-gated");
    return gated.length > others && gated.at(-1);
  });
}
