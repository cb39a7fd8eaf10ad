import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openJournal } from "../src/journal.ts";
import { barRows, barsTable } from "../src/simulation/bars.ts";
import { type CellRequest, type CellResult, runCell } from "../src/simulation/cell.ts";
import { areasFigure } from "../src/simulation/figure.ts";
import { type CellSummary, summarise, summaryTable } from "../src/simulation/summary.ts";

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
  expect(summaryTable(summaries).rows.map((row) => row[6])).toEqual(["0.600", "0.700"]);
  const figure = (value: number) =>
    areasFigure({ cells: [{ ...row(value, 3000), members: 5 }], methods: [], selection: [] });
  expect(figure(0.9)).toContain("direct importance, five networks");
  expect(figure(0.9)).not.toBe(figure(0.8));
});

test("bars are held against medians, best form named; near ones want more seeds, absent ones are told", () => {
  const areas = { covariance: 0.97, linear: 0.5, full: 0.98, weak: 0.981, meanSquared: 0.7 };
  const cell = (name: string, seeds: number): CellSummary => ({
    cell: name,
    seeds,
    one: areas,
    ensemble: areas,
    oneScore: 0.4,
    ensembleScore: 0.5,
    trainSeconds: 1,
  });
  const summaries = [cell("paper regression 100,000", 25), cell("standard regression 100,000", 50)];
  const lines = barsTable("Bars", barRows(summaries)).rows.map((row) => row.join(" | "));
  const line = (text: string) => lines.find((row) => row.includes(text))!;
  expect(line("one network | paper regression 100,000")).toBe(
    "RATE of covariances, one network | paper regression 100,000 | 25 | 0.970 | — | 0.965 | holds, near: wants 50 seeds",
  );
  expect(line("five networks | paper regression 100,000")).toContain(
    "| 25 | 0.981 | weak | 0.985 | missed, near",
  );
  expect(line("fresh rows, five networks | standard regression 100,000")).toContain(
    "| 50 | 0.500 | — | 0.55 | missed",
  );
  expect(line("standard classification 3,000")).toContain("| 0 | not run | — | 0.75 | not run");
  expect(lines.length).toBe(6 * 8 + 2 * 2);
});

test("the recorded results reach every bar, with more seeds where that is near", () => {
  const path = fileURLToPath(new URL("../results/simulation.jsonl", import.meta.url));
  const rows = openJournal<CellResult>(path).rows;
  const bars = barRows(summarise(rows));
  expect(bars.length).toBe(52);
  expect(bars.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
  // Seeds 1, 2, 3, … with none left out, and none twice.
  const seeds = new Map<string, number[]>();
  for (const { recipe, link, rows: n, correlation, seed } of rows) {
    const cell = JSON.stringify([recipe, link, n, correlation]);
    seeds.set(cell, [...(seeds.get(cell) ?? []), seed]);
  }
  for (const [cell, found] of seeds)
    expect([cell, found.sort((a, b) => a - b)]).toEqual([cell, found.map((_, i) => i + 1)]);
});
