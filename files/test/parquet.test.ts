import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CategoryColumn } from "@ratewise/core/data";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { type ParquetColumn, readParquet, writeParquet } from "../src/index.ts";

const where = "d.parquet";
/** Written by DuckDB, by Arrow in C++ (LZ4) and by parquet-mr (data pages of version 2); from apache/parquet-testing and hyparquet. */
const foreign = JSON.parse(
  readFileSync(join(import.meta.dirname, "parquet-files.json"), "utf8"),
) as Record<string, { base64: string; rows: unknown[][] }>;
const columns: ParquetColumn[] = [
  { name: "x", kind: "number", values: [1.5, null, -0.1, 2 ** 60] },
  { name: "n", kind: "integer", values: [1, 2, null, 4] },
  { name: "colour", kind: "text", values: ["red", "=1+1", null, "red"] },
  { name: "sick", kind: "boolean", values: [true, false, true, null] },
];

test("what is written comes back: numbers to the bit, missing values, texts and booleans as categories", async () => {
  const back = await readParquet(writeParquet(columns), { where });
  expect(back.rows).toBe(4);
  expect(back.columns).toEqual([
    { kind: "number", name: "x", values: Float64Array.of(1.5, Number.NaN, -0.1, 2 ** 60) },
    { kind: "number", name: "n", values: Float64Array.of(1, 2, Number.NaN, 4) },
    {
      kind: "category",
      name: "colour",
      levels: ["red", "=1+1"],
      codes: Int32Array.of(0, 1, -1, 0),
    },
    {
      kind: "category",
      name: "sick",
      levels: ["true", "false"],
      codes: Int32Array.of(0, 1, 0, -1),
    },
  ]);
  const asked = await readParquet(writeParquet(columns), { where, categories: new Set(["n"]) });
  expect(asked.columns[1]).toMatchObject({ kind: "category", levels: ["1", "2", "4"] });
});

test.each(Object.entries(foreign))("reads what another program wrote: %s", async (_, file) => {
  const bytes = new Uint8Array(Buffer.from(file.base64, "base64"));
  const { rows, columns } = await readParquet(bytes, { where });
  const back = Array.from({ length: rows }, (_, i) =>
    columns.map((column) => {
      if (column.kind === "number") return column.values[i];
      return column.codes[i] < 0 ? null : column.levels[column.codes[i]];
    }),
  );
  const asRead = (value: unknown) =>
    typeof value === "boolean" || typeof value === "object"
      ? value === null
        ? null
        : JSON.stringify(value)
      : value;
  expect(back).toEqual(file.rows.map((row) => row.map(asRead)));
});

test("many row groups, dates, 64-bit integers and nested values", async () => {
  const n = 2500;
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "i", data: BigInt64Array.from({ length: n }, (_, i) => BigInt(i)), type: "INT64" },
        { name: "day", data: Array.from({ length: n }, (_, i) => new Date(864e5 * i)) },
        { name: "list", data: Array.from({ length: n }, (_, i) => ({ a: i })), type: "JSON" },
      ],
      rowGroupSize: 1000,
    }),
  );
  const { columns } = await readParquet(bytes, { where });
  expect(columns[0]).toEqual({
    kind: "number",
    name: "i",
    values: Float64Array.from({ length: n }, (_, i) => i),
  });
  expect(columns[1]).toMatchObject({ kind: "category" });
  expect((columns[1] as CategoryColumn).levels.slice(0, 2)).toEqual(["1970-01-01", "1970-01-02"]);
  expect((columns[2] as CategoryColumn).levels[2]).toBe('{"a":2}');
});

describe("what is no table is an error that names the file", () => {
  const good = writeParquet(columns);
  test.each([
    ["an empty file", new Uint8Array(0)],
    ["another kind of file", new TextEncoder().encode("a,b\n1,2\n3,4\n5,6\n")],
    ["one cut off at the end", good.subarray(0, -9)],
    ["one cut off at the start", good.subarray(30)],
  ])("%s", async (_, bytes) => {
    await expect(readParquet(bytes, { where })).rejects.toThrow(
      /^d\.parquet: needs a whole Parquet file/,
    );
  });

  test("an infinite number, with its row", async () => {
    const bytes = writeParquet([
      { name: "x", kind: "number", values: [1, Number.POSITIVE_INFINITY] },
    ]);
    await expect(readParquet(bytes, { where })).rejects.toThrow(
      'd.parquet, row 2: column "x" holds Infinity; only finite numbers can be used',
    );
  });

  test("any bytes changed: read, or refused by name, and never more memory than was asked about", async () => {
    const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const bytes = good.slice();
        for (const [at, value] of list) bytes[at] = value;
        try {
          const { rows } = await readParquet(bytes, { where });
          expect(rows).toBeGreaterThan(0);
        } catch (error) {
          expect((error as Error).message).toMatch(/^d\.parquet/);
        }
      }),
      { seed: 1, numRuns: 1500 },
    );
  });

  test("the size is told before anything is read", async () => {
    const onSize = (rows: number, width: number) => {
      throw new Error(`${rows} × ${width}`);
    };
    await expect(readParquet(good, { where, onSize })).rejects.toThrow("4 × 4");
  });
});
