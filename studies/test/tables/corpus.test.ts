import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Table } from "@ratewise/core";
import { expect, onTestFinished, test } from "vitest";
import { readCorpusTable, readManifest, readSplits, rowsOf } from "../../src/tables/corpus.ts";
import { madeEntry } from "./made-results.ts";

const source: Table = {
  rows: 5,
  columns: [
    { kind: "number", name: "x", values: Float64Array.of(10, 20, Number.NaN, 40, 50) },
    {
      ...{ kind: "category", name: "colour", levels: ["red", "green", "blue"] },
      codes: Int32Array.of(0, 1, 2, -1, 1),
    },
  ],
};

test("some rows of a table are in the order asked for, without levels that none of them has", () => {
  const { rows, columns } = rowsOf(source, [4, 3, 2, 1]);
  expect(rows).toBe(4);
  expect(columns).toEqual([
    { kind: "number", name: "x", values: Float64Array.of(50, 40, Number.NaN, 20) },
    {
      ...{ kind: "category", name: "colour", levels: ["green", "blue"] },
      codes: Int32Array.of(0, -1, 1, 0),
    },
  ]);
});

test("some rows keep the notation of a column, and leave the table as it was", () => {
  const percent = { ...source.columns[0], notation: "percent" } as Table["columns"][number];
  expect(rowsOf({ rows: 5, columns: [percent] }, [1]).columns).toEqual([
    { kind: "number", name: "x", values: Float64Array.of(20), notation: "percent" },
  ]);
  expect(source.columns[1]).toMatchObject({ levels: ["red", "green", "blue"] });
});

test("a folder of tables is read as fetch.py writes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "corpus-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const entry = madeEntry("two", { rows: 3 });
  writeFileSync(join(folder, "manifest.json"), JSON.stringify([entry]));
  const splits = [{ cut: null, seed: 1, train: [0, 2], test: [1] }];
  writeFileSync(join(folder, "two.splits.json"), JSON.stringify(splits));
  writeFileSync(join(folder, "two.csv"), "x,y\n1,\n2,b\n,c\n");
  expect(readManifest(folder)).toEqual([entry]);
  expect(readSplits(folder, entry)).toEqual(splits);
  const table = await readCorpusTable(folder, entry);
  const [x, y] = rowsOf(table, splits[0].train).columns;
  expect(x).toMatchObject({ name: "x", values: Float64Array.of(1, Number.NaN) });
  expect(y).toMatchObject({ levels: ["c"], codes: Int32Array.of(-1, 0) });
});
