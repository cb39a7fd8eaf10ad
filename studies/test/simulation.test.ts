import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  areasFigure,
  type CellRequest,
  openJournal,
  runCell,
  summarise,
  summaryTable,
} from "../src/index.ts";

const request: CellRequest = {
  link: "identity",
  rows: 3000,
  seed: 1,
  recipe: "standard",
  correlation: { kind: "independent" },
  members: 1,
};

test("a cell finds the causal variables of its data set, and is the same every time", async () => {
  const result = await runCell(request);
  expect(result).toMatchObject(request);
  expect(result.one.full).toBeGreaterThan(0.8);
  expect(result.one.covariance).toBeGreaterThan(0.7);
  expect(result.oneScore).toBeGreaterThan(0.2);
  expect(result.ensemble).toEqual(result.one);
  const { trainSeconds: _, scoreSeconds: __, ...again } = await runCell(request);
  expect(result).toMatchObject(again);
  const other = await runCell({ ...request, seed: 2 });
  expect(other.one).not.toEqual(result.one);
});

test("a journal keeps what was done and forgets a line that was cut off", () => {
  const folder = mkdtempSync(join(tmpdir(), "ratewise-"));
  const path = join(folder, "journal.jsonl");
  openJournal<{ a: number }>(path).add({ a: 1 });
  appendFileSync(path, '{ "a": 2');
  const journal = openJournal<{ a: number }>(path);
  expect(journal.rows).toEqual([{ a: 1 }]);
  journal.add({ a: 3 });
  expect(openJournal<{ a: number }>(path).rows).toEqual([{ a: 1 }, { a: 3 }]);
  expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
  rmSync(folder, { recursive: true });
});

test("a summary holds medians, one row a cell", async () => {
  const areas = (value: number) => ({
    covariance: value,
    linear: value,
    full: value,
    weak: value,
    meanSquared: value,
  });
  const row = (value: number, rows: number) => ({
    ...request,
    rows,
    one: areas(value),
    ensemble: areas(value),
    oneScore: value,
    ensembleScore: value,
    penalties: [0],
    epochs: [1],
    engine: "plain",
    trainSeconds: 1,
    scoreSeconds: 1,
  });
  const summaries = summarise([row(0.5, 10), row(0.9, 10), row(0.6, 10), row(0.7, 20)]);
  expect(summaries.map(({ cell, seeds, one }) => [cell, seeds, one.full])).toEqual([
    ["standard regression 10", 3, 0.6],
    ["standard regression 20", 1, 0.7],
  ]);
  expect(summaryTable(summaries).split("\n").length).toBe(4);
  // 16 published points, and two lines of ours where there is a cell of the paper's sizes.
  const circles = (svg: string) => svg.match(/<circle/g)!.length;
  expect(circles(areasFigure(summaries))).toBe(16);
  expect(circles(areasFigure(summarise([row(0.9, 3000)])))).toBe(18);
});
