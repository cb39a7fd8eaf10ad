import { matrix } from "@ratewise/core";
import { projectCovariance } from "@ratewise/core/effects";
import { blockRoom, bytesInMemory, streamProjection } from "@ratewise/core/stream";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { parquetSource } from "../src/index.ts";

const [n, p] = [40, 7];
const cell = (i: number, j: number): number => ((i * 31 + j * 17) % 23) / 3 - 2;
const column = (j: number) => Array.from({ length: n }, (_, i) => cell(i, j));
const response = Array.from({ length: n }, (_, i) => i / 10);
const bytes = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      ...Array.from({ length: p }, (_, j) => ({
        name: `x${j}`,
        data: column(j),
        type: "DOUBLE" as const,
      })),
      { name: "y", data: response, type: "DOUBLE" as const },
      { name: "site", data: response.map((value) => `s${value}`), type: "STRING" as const },
    ],
    rowGroupSize: 16,
  }),
);
const open = () =>
  parquetSource(bytesInMemory(bytes), { where: "x.parquet", exclude: ["y", "site"] });
const X = matrix(
  n,
  p,
  Float64Array.from({ length: n * p }, (_, e) => cell(Math.floor(e / p), e % p)),
);
const H = matrix(
  n,
  2,
  Float64Array.from({ length: n * 2 }, (_, e) => ((e * 13) % 11) / 2),
);

test("is as long and as wide as its numbers, in row groups", async () => {
  const source = await open();
  expect(source).toMatchObject({
    rows: n,
    columns: p,
    names: ["x0", "x1", "x2", "x3", "x4", "x5", "x6"],
  });
  expect(source.layout).toMatchObject({ chunkRows: 16, chunkColumns: 1 });
  expect([...(await source.readColumn("y"))]).toEqual(response);
});

describe.each([
  ["columns", 3],
  ["columns", 7],
  ["rows", 16],
  ["rows", 9],
] as const)("by %s, %i at a time", (by, blockSize) => {
  test("it streams to what it is in memory", async () => {
    const blocks = Math.ceil((by === "columns" ? p : n) / blockSize);
    const order = Array.from({ length: blocks }, (_, b) => blocks - 1 - b);
    const got = await streamProjection(await open(), H, { plan: { by, blockSize, blocks }, order });
    const expected = projectCovariance(X, H).hidden.data;
    for (const [e, value] of got.hidden.data.entries())
      expect(Math.abs(value - expected[e])).toBeLessThanOrEqual(
        1e-12 + 1e-10 * Math.abs(expected[e]),
      );
  });
});

test("columns that are decoded in more than one go come to their places", async () => {
  // 131,072 values at a time: of 1,000 rows that is 131 columns.
  const [rows, columns] = [1000, 300];
  const wide = new Uint8Array(
    parquetWriteBuffer({
      columnData: Array.from({ length: columns }, (_, j) => ({
        name: `x${j}`,
        data: Array.from({ length: rows }, (_, i) => (i + 7 * j) % 13),
        type: "DOUBLE" as const,
      })),
      rowGroupSize: 1000,
    }),
  );
  const source = await parquetSource(bytesInMemory(wide), { where: "w.parquet", exclude: ["x5"] });
  expect(source.layout.overhead).toBe(2800 * columns);
  const block = await source.readColumns({ start: 4, end: 290 }, blockRoom());
  if (!("data" in block)) return expect.unreachable();
  const { data, cols } = block;
  expect(cols).toBe(286);
  const wrong = [...data.keys()].filter((e) => {
    // x5 is left out, so that column 5 is x6.
    const j = 4 + (e % cols);
    return data[e] !== (Math.floor(e / cols) + 7 * (j < 5 ? j : j + 1)) % 13;
  });
  expect(wrong).toEqual([]);
});

test("columns that are texts or not there are refused by name", async () => {
  const all = await parquetSource(bytesInMemory(bytes), { where: "x.parquet", exclude: ["y"] });
  await expect(all.readColumns({ start: 6, end: 8 }, blockRoom())).rejects.toThrow(
    'in column "site"; leave it out',
  );
  await expect(
    parquetSource(bytesInMemory(bytes), { where: "x.parquet", exclude: ["z"] }),
  ).rejects.toThrow('x.parquet: there is no column "z"');
});

test("a file that is damaged in the middle is named with its block", async () => {
  const broken = bytes.slice();
  broken.fill(0xff, 300, 420);
  const source = await parquetSource(bytesInMemory(broken), {
    where: "x.parquet",
    exclude: ["y", "site"],
  });
  const plan = { by: "columns", blockSize: 2, blocks: 4 } as const;
  await expect(streamProjection(source, H, { plan })).rejects.toThrow(
    /^x\.parquet: block \d of 4 \(columns \d … \d\) is damaged/,
  );
});

test("a file without an end is no Parquet file", async () => {
  await expect(
    parquetSource(bytesInMemory(bytes.slice(0, 200)), { where: "x.parquet" }),
  ).rejects.toThrow("x.parquet: needs a whole Parquet file");
});
