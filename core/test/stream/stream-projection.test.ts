import { afterAll, describe, expect, test } from "vitest";
import { projectCovariance, projectedEffects } from "../../src/effects/index.ts";
import { RatewiseError } from "../../src/errors.ts";
import { bytesInMemory } from "../../src/host/byte-source.ts";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import { closeWorkers } from "../../src/parallel/index.ts";
import { rate } from "../../src/rate/index.ts";
import {
  type BlockSource,
  blockRoom,
  finiteRows,
  type KeptBlocks,
  npySource,
  projectedEffectsInPlace,
  rowSubset,
  streamProjection,
} from "../../src/stream/index.ts";
import { diagonalWeights, fullWeights } from "../effects/tables.ts";
import { expectClose } from "../support/close.ts";
import { bedOf, genotypes, npyOf, numbers, rawNpy } from "./tables.ts";

afterAll(closeWorkers);

const [n, p, l] = [61, 37, 5];
const H = numbers(2, "hidden", n, l);
const shuffled = (blocks: number): number[] =>
  Array.from({ length: blocks }, (_, b) => (b * 7 + 3) % blocks);

function planOf(by: "columns" | "rows", blockSize: number) {
  return { by, blockSize, blocks: Math.ceil((by === "columns" ? p : n) / blockSize) };
}

const whole: Matrix = numbers(1, "X", n, p);
const counts = genotypes(3, n, p);
const single = matrix(n, p, Float64Array.from(Float32Array.from(whole.data)));
const small = matrix(
  n,
  p,
  whole.data.map((value) => Math.round(20 * value)),
);

const npyBytes = (
  descr: string,
  fortran: boolean,
  size: number,
  X: Matrix,
  put: (v: DataView, at: number, x: number) => void,
) =>
  rawNpy(descr, fortran, [n, p], size, (view, at, e) => {
    const [i, j] = fortran ? [e % n, Math.floor(e / n)] : [Math.floor(e / p), e % p];
    put(view, at, X.data[i * p + j]);
  });
const npy = (bytes: Uint8Array) => npySource(bytesInMemory(bytes), { where: "x.npy" });

const formats: [string, Matrix, () => Promise<BlockSource>][] = [
  ["genotypes with missing values", counts.X, () => bedOf(counts.bytes, n, p)],
  ["row-major doubles", whole, () => npyOf(whole)],
  [
    "column-major doubles",
    whole,
    () => npy(npyBytes("<f8", true, 8, whole, (v, at, x) => v.setFloat64(at, x, true))),
  ],
  [
    "singles",
    single,
    () => npy(npyBytes("<f4", false, 4, single, (v, at, x) => v.setFloat32(at, x, true))),
  ],
  [
    "big-endian doubles",
    whole,
    () => npy(npyBytes(">f8", false, 8, whole, (v, at, x) => v.setFloat64(at, x, false))),
  ],
  [
    "column-major bytes",
    small,
    () => npy(npyBytes("|i1", true, 1, small, (v, at, x) => v.setInt8(at, x))),
  ],
  [
    "eight-byte integers",
    small,
    () => npy(npyBytes("<i8", false, 8, small, (v, at, x) => v.setBigInt64(at, BigInt(x), true))),
  ],
];

describe.each(formats)("%s", (_, X, open) => {
  const expected = projectCovariance(X, H);
  const ways = ["columns", "rows"] as const;
  test.each(ways.flatMap((by) => [1, 4, 16, 1000].map((size) => [by, size] as const)))(
    "streamed by %s, %i at a time, in both orders, are what they are in memory",
    async (by, size) => {
      const plan = planOf(by, Math.min(size, by === "columns" ? p : n));
      for (const order of [undefined, shuffled(plan.blocks)]) {
        if (order && new Set(order).size !== plan.blocks) continue;
        const source = await open();
        const got = await streamProjection(source, H, { plan, ...(order && { order }) });
        expectClose(got.hidden.data, expected.hidden.data, { rtol: 1e-10, atol: 1e-12 });
        expectClose(got.squaredNorms, expected.squaredNorms, { rtol: 1e-10 });
      }
    },
  );
});

test("RATE and groupRATE of a streamed .bed file are those of the table in memory", async () => {
  const plan = planOf("columns", 9);
  const groups = [
    { name: "a", members: [0, 1, 2] },
    { name: "b", members: [2, 20, 30, 31, 32, 33, 34] },
  ];
  for (const weights of [diagonalWeights(4, l), fullWeights(4, l)]) {
    const expected = rate(
      projectedEffects(projectCovariance(counts.X, H), weights, { noiseVariance: 0.3 }),
      { groups },
    );
    const projected = await streamProjection(await bedOf(counts.bytes, n, p), H, { plan });
    const got = rate(projectedEffectsInPlace(projected, weights, { noiseVariance: 0.3 }), {
      groups,
    });
    expectClose(got.variables.rate, expected.variables.rate, { rtol: 1e-10 });
    expectClose(got.variables.kldExact!, expected.variables.kldExact!, { rtol: 1e-10 });
    expectClose(got.variables.mean, expected.variables.mean, { rtol: 1e-10, atol: 1e-13 });
    expectClose(got.groups!.rate, expected.groups!.rate, { rtol: 1e-10 });
  }
});

test("single precision is that of single precision", async () => {
  const plan = planOf("columns", 10);
  const source = await bedOf(counts.bytes, n, p);
  const { hidden } = await streamProjection(source, H, { plan, precision: "single" });
  const expected = projectCovariance(counts.X, H).hidden.data;
  expectClose(hidden.data, expected, { rtol: 1e-5, atol: 1e-6 });
  expect(hidden.data).not.toEqual(expected);
});

test("a factor of a full covariance of low rank stands apart", () => {
  const projected = projectCovariance(whole, H);
  const V = matrix(l, l);
  for (let i = 0; i < l; i++) for (let j = 0; j < l; j++) V.data[i * l + j] = (i + 1) * (j + 1);
  const weights = { mean: new Float64Array(l).fill(1), covariance: V };
  const expected = projectedEffects(projected, weights);
  const got = projectedEffectsInPlace(projected, weights);
  expect(got.factor.cols).toBe(expected.factor.cols);
  expectClose(got.factor.data, expected.factor.data, { rtol: 0 });
});

function memoryKeeper(): KeptBlocks & { readonly blocks: Map<string, Float64Array>; got: number } {
  const blocks = new Map<string, Float64Array>();
  const keeper = {
    blocks,
    got: 0,
    get: async (id: string) => {
      const found = blocks.get(id) ?? null;
      if (found) keeper.got++;
      return found;
    },
    put: async (id: string, values: Float64Array) => void blocks.set(id, values.slice()),
  };
  return keeper;
}

describe("a damaged block", () => {
  const expected = projectCovariance(counts.X, H);

  test("of a .bed file is named, and finished blocks are not computed again", async () => {
    const keep = memoryKeeper();
    const plan = planOf("columns", 10);
    const damaged = await bedOf(counts.bytes, n, p);
    const reading: BlockSource = {
      ...damaged,
      readColumns: async (span, room) => {
        if (span.start <= 25 && 25 < span.end)
          throw new RatewiseError("file", {
            what: "needs 40 bytes, got 5",
            advice: "the file is cut off",
          });
        return damaged.readColumns(span, room);
      },
    };
    const failing = streamProjection(reading, H, { plan, keep });
    await expect(failing).rejects.toMatchObject({
      code: "file",
      details: { block: 2, first: 20, last: 29 },
      message: expect.stringMatching(
        /^x\.bed: block 3 of 4 \(columns 20 … 29\) is damaged.*cut off/,
      ),
    });
    expect([...keep.blocks.keys()]).toEqual(["columns-0-10", "columns-10-20"]);
    let read = 0;
    const repaired = await bedOf(counts.bytes, n, p);
    const counting: BlockSource = {
      ...repaired,
      readColumns: (span, room) => {
        read++;
        return repaired.readColumns(span, room);
      },
    };
    const got = await streamProjection(counting, H, { plan, keep });
    expect(read).toBe(2);
    expectClose(got.hidden.data, expected.hidden.data, { rtol: 1e-10, atol: 1e-12 });
    expectClose(got.squaredNorms, expected.squaredNorms, { rtol: 1e-10 });
  });

  test("of rows is named, and what was read before is kept", async () => {
    const broken = matrix(n, p, whole.data.slice());
    broken.data[33 * p + 4] = Number.NaN;
    const keep = memoryKeeper();
    const plan = planOf("rows", 8);
    await expect(streamProjection(await npyOf(broken), H, { plan, keep })).rejects.toThrow(
      "x.npy: block 5 of 8 (rows 32 … 39) is damaged or cannot be used: needs finite numbers, got NaN or infinity in row 33, column 4, counted from 0",
    );
    const seen: number[] = [];
    const repaired = await npyOf(whole);
    const counting: BlockSource = {
      ...repaired,
      readRows: (span, room) => {
        seen.push(span.start);
        return repaired.readRows(span, room);
      },
    };
    const got = await streamProjection(counting, H, { plan, keep });
    expect(seen).toEqual([32, 40, 48, 56]);
    const inMemory = projectCovariance(whole, H);
    expectClose(got.hidden.data, inMemory.hidden.data, { rtol: 1e-10, atol: 1e-12 });
    expectClose(got.squaredNorms, inMemory.squaredNorms, { rtol: 1e-10 });
  });

  test("of columns with a number that is none is named", async () => {
    const broken = matrix(n, p, whole.data.slice());
    broken.data[33 * p + 24] = Number.NaN;
    await expect(
      streamProjection(await npyOf(broken), H, { plan: planOf("columns", 10) }),
    ).rejects.toThrow(
      "x.npy: block 3 of 4 (columns 20 … 29) is damaged or cannot be used: needs finite numbers, got NaN or infinity in row 33, column 24, counted from 0",
    );
  });
});

test("a number that is none is named by the file's row and the column's name where rows were left out", async () => {
  const broken = matrix(n, p, whole.data.slice());
  broken.data[33 * p + 24] = Number.POSITIVE_INFINITY;
  const names = Array.from({ length: p }, (_, j) => `v${j}`);
  const rows = Uint32Array.from({ length: 20 }, (_, i) => 20 + i);
  const source = { ...rowSubset(await npyOf(broken), rows), names };
  const Hs = matrix(20, l, H.data.slice(0, 20 * l));
  for (const by of ["columns", "rows"] as const) {
    const plan = { by, blockSize: 10, blocks: by === "columns" ? 4 : 2 };
    await expect(streamProjection(source, Hs, { plan })).rejects.toThrow(
      /block \d of \d \(.*got NaN or infinity in row 33, column 24 \("v24"\), counted from 0/,
    );
  }
  const room = blockRoom();
  await expect(finiteRows(source).readRows({ start: 10, end: 20 }, room)).rejects.toThrow(
    'x.npy: needs finite numbers, got NaN or infinity in row 33, column 24 ("v24")',
  );
  const sound = await finiteRows(source).readRows({ start: 0, end: 10 }, room);
  expect(sound.data[3]).toBe(whole.data[20 * p + 3]);
});

test("a hidden layer with a number that is none is refused by its place, before X is read", async () => {
  const broken = matrix(n, l, H.data.slice());
  broken.data[7 * l + 1] = Number.NaN;
  const unread: BlockSource = {
    ...(await npyOf(whole)),
    readColumns: () => expect.unreachable(),
    readRows: () => expect.unreachable(),
  };
  for (const by of ["columns", "rows"] as const)
    await expect(streamProjection(unread, broken, { plan: planOf(by, 10) })).rejects.toThrow(
      "finite numbers in H, got NaN or infinity in row 7, column 1 (counted from 0)",
    );
});

test("the pass tells the mean of every column, by either plan and from blocks that were kept", async () => {
  const mean = (X: Matrix) =>
    Float64Array.from({ length: p }, (_, j) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += X.data[i * p + j];
      return sum / n;
    });
  const keep = memoryKeeper();
  for (const by of ["columns", "rows", "columns"] as const) {
    const got = await streamProjection(await npyOf(whole), H, { plan: planOf(by, 10), keep });
    expectClose(got.columnMeans, mean(whole), { rtol: 1e-12, atol: 1e-14 });
  }
  expect(keep.got).toBeGreaterThan(0);
  // Missing genotypes stand at the mean of the others in X, and leave it where it is.
  const bed = await streamProjection(await bedOf(counts.bytes, n, p), H, {
    plan: planOf("columns", 10),
  });
  expectClose(bed.columnMeans, mean(counts.X), { rtol: 1e-12 });
});

test("some rows of a source are a source", async () => {
  const rows = Uint32Array.from([0, 3, 4, 9, 17, 18, 30, 44, 59, 60]);
  const subset = (X: Matrix, m: Matrix) =>
    matrix(
      rows.length,
      m.cols,
      Float64Array.from(rows).reduce<number[]>((all, i) => {
        all.push(...X.data.subarray(i * X.cols, (i + 1) * X.cols));
        return all;
      }, []) as unknown as Float64Array,
    );
  const Hs = matrix(rows.length, l, Float64Array.from(subset(H, H).data));
  const Xs = matrix(rows.length, p, Float64Array.from(subset(whole, whole).data));
  const source = rowSubset(await npyOf(whole), rows);
  for (const by of ["columns", "rows"] as const) {
    const blocks = Math.ceil((by === "columns" ? p : rows.length) / 4);
    const got = await streamProjection(source, Hs, { plan: { by, blockSize: 4, blocks } });
    expectClose(got.hidden.data, projectCovariance(Xs, Hs).hidden.data, {
      rtol: 1e-10,
      atol: 1e-12,
    });
  }
});

test("genotypes of some rows are packed anew", async () => {
  const all = genotypes(9, n, 8, 0);
  const rows = Uint32Array.from([1, 2, 5, 8, 13, 21, 34, 55]);
  const pick = (M: Matrix) =>
    matrix(
      rows.length,
      M.cols,
      Float64Array.from(
        { length: rows.length * M.cols },
        (_, e) => M.data[rows[Math.floor(e / M.cols)] * M.cols + (e % M.cols)],
      ),
    );
  const source = rowSubset(await bedOf(all.bytes, n, 8), rows);
  const got = await streamProjection(source, pick(H), {
    plan: { by: "columns", blockSize: 3, blocks: 3 },
  });
  expectClose(got.hidden.data, projectCovariance(pick(all.X), pick(H)).hidden.data, {
    rtol: 1e-10,
    atol: 1e-12,
  });
});

test("progress ends at the whole, and a signal stops the work", async () => {
  const events: { done: number; total: number }[] = [];
  const plan = planOf("columns", 10);
  await streamProjection(await npyOf(whole), H, {
    plan,
    onProgress: (event) => void events.push(event),
  });
  expect(events.at(-1)).toMatchObject({ phase: "stream", done: 4, total: 4 });
  const abort = new AbortController();
  const stopped = streamProjection(await npyOf(whole), H, {
    plan,
    signal: abort.signal,
    onProgress: () => abort.abort(new Error("enough")),
  });
  await expect(stopped).rejects.toThrow("enough");
});

test("an order that leaves blocks out is refused, and so is an H of other rows", async () => {
  const source = await npyOf(whole);
  await expect(
    streamProjection(source, H, { plan: planOf("rows", 10), order: [0, 1] }),
  ).rejects.toThrow("every one of 7 blocks");
  await expect(
    streamProjection(source, numbers(1, "h", 9, 2), { plan: planOf("rows", 10) }),
  ).rejects.toThrow("H for the 61 rows of x.npy, got 9 rows");
});
