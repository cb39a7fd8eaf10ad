import { type Matrix, matrix } from "@ratewise/core";
import { projectCovariance } from "@ratewise/core/effects";
import { blockRoom, streamProjection } from "@ratewise/core/stream";
import { describe, expect, test } from "vitest";
import { zarrSource } from "../src/index.ts";
import { filesOf, type ZarrOptions, zarrStore } from "./support/zarr-store.ts";

/** Numbers that are the same in single precision. */
const cell = (i: number, j: number): number =>
  ((i * 37 + j * 101) % 64) / 8 - 3 + (i === j ? 1 : 0);
const [n, p] = [23, 19];
const X: Matrix = matrix(
  n,
  p,
  Float64Array.from({ length: n * p }, (_, e) => cell(Math.floor(e / p), e % p)),
);
const H = matrix(
  n,
  3,
  Float64Array.from({ length: n * 3 }, (_, e) => ((e * 29) % 17) / 4),
);

function expectClose(got: Float64Array, expected: Float64Array): void {
  expect(got.length).toBe(expected.length);
  for (const [e, value] of got.entries())
    expect(Math.abs(value - expected[e])).toBeLessThanOrEqual(
      1e-12 + 1e-10 * Math.abs(expected[e]),
    );
}

const stores: [string, ZarrOptions][] = [2, 3].flatMap((version) =>
  [false, true].map((gzip): [string, ZarrOptions] => [
    `version ${version}${gzip ? ", compressed" : ""}`,
    {
      version: version as 2 | 3,
      shape: [n, p],
      chunks: [10, 8],
      type: gzip ? "float32" : "float64",
      gzip,
    },
  ]),
);

describe.each(stores)("%s", (_, options) => {
  const store = zarrStore(options, ([i, j]) => cell(i, j));
  const open = () => zarrSource(filesOf(store), { where: "x.zarr" });

  test.each([
    ["columns", 8],
    ["columns", 5],
    ["rows", 10],
    ["rows", 7],
  ] as const)("streamed by %s, %i at a time, is what it is in memory", async (by, blockSize) => {
    const source = await open();
    const blocks = Math.ceil((by === "columns" ? p : n) / blockSize);
    const order = Array.from({ length: blocks }, (__, b) => blocks - 1 - b);
    const got = await streamProjection(source, H, { plan: { by, blockSize, blocks }, order });
    expectClose(got.hidden.data, projectCovariance(X, H).hidden.data);
    expect(source.absentChunks()).toBe(0);
  });
});

test("the chunks are told to the plan, and shapes to whoever asks", async () => {
  const store = zarrStore(
    { version: 3, shape: [n, 4, 6, 2], chunks: [5, 2, 3, 2], type: "int16" },
    (index) => index[0],
  );
  const source = await zarrSource(filesOf(store), { where: "x.zarr" });
  expect(source).toMatchObject({ rows: n, columns: 48, rowShape: [4, 6, 2], format: "zarr" });
  expect(source.layout).toMatchObject({ chunkRows: 5, chunkColumns: 24, bytesEach: 2 });
});

test("images in chunks of all dimensions come in the order of their cells", async () => {
  const shape = [7, 5, 6, 2];
  const at = (index: readonly number[]) =>
    index.reduce((sum, i, d) => sum * shape[d] + i, 0) % 30_000;
  const store = zarrStore({ version: 2, shape, chunks: [3, 2, 4, 1], type: "int16" }, at);
  const source = await zarrSource(filesOf(store), { where: "x.zarr" });
  const { data } = await source.readRows({ start: 0, end: 7 }, blockRoom());
  expect([...data]).toEqual(Array.from({ length: 420 }, (_, e) => e));
  const part = await source.readColumns({ start: 17, end: 43 }, blockRoom());
  if (!("data" in part)) throw new Error("needs numbers");
  expect([...part.data.subarray(0, 26)]).toEqual(Array.from({ length: 26 }, (_, j) => 17 + j));
  expect(part.data[26 * 6 + 25]).toBe(6 * 60 + 42);
});

describe("what is damaged", () => {
  const options: ZarrOptions = {
    version: 3,
    shape: [n, p],
    chunks: [10, 8],
    type: "float64",
    gzip: true,
  };
  const plan = { by: "columns", blockSize: 8, blocks: 3 } as const;

  test("is named by its chunk and block", async () => {
    const store = zarrStore(options, ([i, j]) => cell(i, j));
    store.set("c/1/2", store.get("c/1/2")!.slice(0, 40));
    const source = await zarrSource(filesOf(store), { where: "x.zarr" });
    await expect(streamProjection(source, H, { plan })).rejects.toThrow(
      /^x\.zarr: block 3 of 3 \(columns 16 … 18\) is damaged or cannot be used: x\.zarr: chunk 1\/2: needs a whole Zarr array/,
    );
  });

  test("or absent counts as the fill value, and is counted", async () => {
    const store = zarrStore(options, ([i, j]) => cell(i, j));
    store.delete("c/1/2");
    const source = await zarrSource(filesOf(store), { where: "x.zarr" });
    const { data } = await source.readRows({ start: 12, end: 13 }, blockRoom());
    expect([...data.subarray(15, 19)]).toEqual([cell(12, 15), 0, 0, 0]);
    expect(source.absentChunks()).toBe(1);
  });

  test("or no array at all is refused", async () => {
    await expect(zarrSource(filesOf(new Map()), { where: "x.zarr" })).rejects.toThrow(
      "x.zarr: needs a whole Zarr array",
    );
    const flat = zarrStore({ ...options, shape: [9], chunks: [3] }, ([i]) => i);
    await expect(zarrSource(filesOf(flat), { where: "x.zarr" })).rejects.toThrow(
      "x.zarr: needs rows and columns, got shape (9)",
    );
  });
});
