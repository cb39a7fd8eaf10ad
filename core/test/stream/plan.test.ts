import { describe, expect, test } from "vitest";
import { planStream } from "../../src/stream/index.ts";

const MB = 2 ** 20;
const bed = {
  where: "x.bed",
  format: "bed",
  rows: 10_000,
  columns: 1_000_000,
  layout: {
    chunkRows: 10_000,
    chunkColumns: 1,
    prefers: "columns",
    bytesEach: 1 / 4,
    memoryEach: 1 / 4,
  },
} as const;
const rowMajor = {
  where: "x.npy",
  format: "npy",
  rows: 100_000,
  columns: 5_000,
  layout: { chunkRows: 1, chunkColumns: 1, prefers: "rows", bytesEach: 4, memoryEach: 4 },
} as const;

test("a million variants of 10,000 samples with 64 hidden units are planned below 1.5 GB", () => {
  const plan = planStream(bed, { width: 64, memory: 1500 * MB, precision: "single" });
  expect(plan.by).toBe("columns");
  expect(plan.blocks).toBe(Math.ceil(1_000_000 / plan.blockSize));
  expect(plan.memory).toBeLessThanOrEqual(1500 * MB);
  expect(plan.memory).toBeGreaterThan(8 * 64e6);
  expect(plan.read).toBe(2.5e9);
  expect(plan.disk).toBe(8 * 66e6);
  expect(plan.operations).toBe(2 * 64 * 1e10);
});

test("the way follows the layout, and what is asked for", () => {
  expect(planStream(rowMajor, { width: 16 }).by).toBe("rows");
  expect(
    planStream({ ...rowMajor, layout: { ...rowMajor.layout, prefers: "columns" } }, { width: 16 })
      .by,
  ).toBe("columns");
  expect(planStream(rowMajor, { width: 16, by: "columns" }).by).toBe("columns");
});

test("the other way is taken where the preferred one does not fit", () => {
  const chunked = {
    ...rowMajor,
    columns: 200_000,
    layout: { chunkRows: 50_000, chunkColumns: 100, prefers: "rows", bytesEach: 4, memoryEach: 12 },
  } as const;
  expect(planStream(chunked, { width: 8, memory: 1024 * MB }).by).toBe("columns");
});

test("blocks are whole chunks", () => {
  const chunked = { ...rowMajor, layout: { ...rowMajor.layout, chunkRows: 48 } };
  const { blockSize } = planStream(chunked, { width: 16 });
  expect(blockSize % 48).toBe(0);
});

describe("less memory", () => {
  test("makes more and smaller blocks", () => {
    const [much, little] = [4096, 620].map((mb) => planStream(bed, { width: 16, memory: mb * MB }));
    expect(little.blocks).toBeGreaterThan(much.blocks);
    expect(little.memory).toBeLessThanOrEqual(620 * MB);
  });

  test("than the products themselves need is refused, with what is needed", () => {
    expect(() => planStream(bed, { width: 64, memory: 400 * MB })).toThrow(
      /^x\.bed: needs at least [\d,]+ MB for 1000000 variables and 64 hidden units, may use 400 MB/,
    );
  });
});

test("what a caller needs for every variable besides is planned for", () => {
  const shape = { where: "x.bed", rows: 400, columns: 500_000, format: "bed" } as const;
  const layout = {
    chunkRows: 400,
    chunkColumns: 1,
    prefers: "columns",
    bytesEach: 0.25,
    memoryEach: 0.25,
  } as const;
  const needed = (perVariable: number) =>
    planStream({ ...shape, layout }, { width: 4, blockSize: 1000, perVariable }).memory;
  expect(needed(130) - needed(0)).toBe(130 * 500_000);
  const tight = { width: 4, memory: needed(0) };
  expect(() => planStream({ ...shape, layout }, { ...tight, perVariable: 130 })).toThrow(
    "needs at least",
  );
});
