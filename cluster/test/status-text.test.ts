import { expect, test } from "vitest";
import { ago, byteSize, counted } from "../src/amounts.ts";
import { type RunStatus, reportLines, runText, storeText } from "../src/index.ts";

const status: RunStatus = {
  kind: "run-status",
  run: "0123456789ab",
  argv: ["explain", "t.csv"],
  folder: "/",
  on: "redis://h:6379",
  version: "0.1.0",
  began: "2026-01-01T00:00:00.000Z",
  state: "done",
  tasks: { asked: 1, done: 1, running: 0, failed: 0, found: 0 },
  retries: 0,
  retried: [],
  failures: [],
  bytes: { payloads: 34_500, results: 999 },
  workers: ["a"],
  hosts: ["h"],
  events: [],
};

const seen = {
  worker: "h-1-aa",
  host: "h",
  pid: 1,
  on: "redis://h:6379",
  version: "0.1.0",
  engines: ["plain"],
  workers: 2,
  running: [],
  done: 3,
  failed: 1,
  bytes: 0,
  time: new Date().toISOString(),
  alive: true,
  silent: false,
};

test("amounts are told in words that agree with them", () => {
  expect([counted(0, "task"), counted(1, "task"), counted(2, "task")]).toEqual([
    "0 tasks",
    "1 task",
    "2 tasks",
  ]);
  expect([byteSize(999), byteSize(34_500), byteSize(1_040_000)]).toEqual([
    "999 bytes",
    "34.5 kB",
    "1.04 MB",
  ]);
  const now = Date.parse("2026-01-01T12:00:00.000Z");
  const before = (seconds: number): string =>
    ago(new Date(now - 1000 * seconds).toISOString(), now);
  expect([before(4), before(600), before(9000)]).toEqual(["4 s ago", "10 min ago", "3 h ago"]);
});

test("one task by one worker is no plural", () => {
  expect(reportLines(status)).toEqual([
    "run 0123456789ab: 1 of 1 task done by 1 worker; 34.5 kB sent, 999 bytes came back",
  ]);
});

test("what was done before needs no worker", () => {
  const found: RunStatus = { ...status, tasks: { ...status.tasks, found: 1 }, workers: [] };
  expect(reportLines(found)[0]).toContain("1 of 1 task done, 1 of them done before; ");
});

test("of Slurm it tells elements and nodes, and what Slurm has of them", () => {
  const slurm = { pending: 2, running: 3, ended: 4 };
  const workers = Array.from({ length: 9 }, (_, k) => `n-slurm-1_${k}`);
  const there: RunStatus = { ...status, on: "slurm", state: "running", workers, slurm };
  expect(reportLines(there)[0]).toContain("done by 9 elements of Slurm arrays on 1 node;");
  expect(runText(there)).toContain("Slurm: 9 elements, 2 pending, 3 running, 4 ended\n");
  const all = storeText({ runs: [there], workers: [], refusals: [] });
  expect(all).toContain("Slurm: 9 elements, 2 pending, 3 running, 4 ended\n");
  expect(all).not.toContain("sign of life");
});

test("workers are listed with when they were last seen, those that vanished included", () => {
  const hour = new Date(Date.now() - 3_000_000).toISOString();
  const gone = { ...seen, worker: "h-2-bb", time: hour, alive: false, silent: true };
  const ended = { ...seen, worker: "h-3-cc", alive: false, ended: "it was asked to stop" };
  const text = storeText({ runs: [], workers: [seen, gone, ended], refusals: [] });
  expect(text).toContain("worker  last seen   version  at once  running  done  failed\n");
  expect(text).toMatch(/^h-1-aa {2}\d+ s ago +0\.1\.0 +2 +0 +3 +1$/m);
  expect(text).toMatch(/^h-2-bb {2}50 min ago +0\.1\.0/m);
  expect(text).not.toContain("h-3-cc");
});
