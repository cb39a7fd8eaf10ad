import { inflateSync } from "node:zlib";
import type { RateResult } from "@ratewise/core";
import { parseBim, variantNames } from "@ratewise/core/data";
import { type BlockSource, planStream } from "@ratewise/core/stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bimVariants, positionAt } from "../src/commands/stream/bim-variants.ts";
import { bytesText } from "../src/commands/stream/bytes-text.ts";
import { cautions } from "../src/commands/stream/cautions.ts";
import { extrapolate } from "../src/commands/stream/extrapolate.ts";
import { importanceMap } from "../src/commands/stream/importance-map.ts";
import { timeText } from "../src/commands/stream/plan-text.ts";
import { rehearse } from "../src/commands/stream/rehearsal.ts";
import type { StreamSettings } from "../src/commands/stream/settings.ts";
import { settledRanks } from "../src/commands/stream/settled-ranks.ts";
import { nodeIo } from "../src/node-io.ts";
import { bytes } from "../src/options/kinds.ts";

const bimNames = (text: string, where: string) => bimVariants(text, where).names;

describe("names of variants without an object a line", () => {
  test("are those with one, also where ids repeat or are missing", () => {
    const lines = [
      "1 rs1 0 100 A G",
      "1\trs2\t0\t200\tC\tT",
      "1 . 0 300 A C",
      "2 rs2 0 400 G T",
      "2 . 0 500 A C",
      "2 . 0 500 A C",
      "X rs9 0 0 A G",
    ];
    const text = `${lines.join("\n")}\r\n\n`;
    expect(bimNames(text, "x.bim")).toEqual(variantNames(parseBim(text, "x.bim")));
    expect(new Set(bimNames(text, "x.bim")).size).toBe(7);
  });

  test("come with place and alleles", () => {
    const text = "1 rs1 0 100 A G\nX . 0 -5 AT C\n1 rs3 0 7 A C\n";
    const variants = bimVariants(text, "x.bim");
    const parsed = parseBim(text, "x.bim");
    for (const [j, { chromosome, position, allele1, allele2 }] of parsed.entries()) {
      expect(positionAt(variants, j)).toEqual({ chromosome, position });
      expect([variants.allele1(j), variants.allele2(j)]).toEqual([allele1, allele2]);
    }
    expect(() => bimVariants("1 rs1 0 1e400 A G\n", "x.bim")).toThrow(
      'x.bim, variant 1: needs a whole number as the position, got "1e400"',
    );
  });

  test("stay apart from ids that look like places", () => {
    const text = "1 1:5:A:G 0 9 A C\n1 . 0 5 A G\n";
    expect(bimNames(text, "x.bim")).toEqual(["1:5:A:G", "1:5:A:G:2"]);
  });

  test("name the line that is short, and a file that is empty", () => {
    expect(() => bimNames("1 rs1 0 100 A G\n1 rs2\n", "x.bim")).toThrow(
      "x.bim, line 2: needs 6 fields (chromosome, name, centimorgans, position, two alleles), got 2",
    );
    expect(() => bimNames("\n", "x.bim")).toThrow("x.bim: the file is empty");
  });
});

test("amounts of memory are read and written", () => {
  const of = (text: string) => bytes.read(text);
  expect(["4GB", "4g", "1.5GiB", "800MB", "1024"].map(of)).toEqual([
    4 * 2 ** 30,
    4 * 2 ** 30,
    1.5 * 2 ** 30,
    800 * 2 ** 20,
    1024,
  ]);
  expect(of("4 elephants")).toBeUndefined();
  expect([500, 3 * 2 ** 20, 5.5 * 2 ** 30].map(bytesText)).toEqual(["1 KB", "3 MB", "5.5 GB"]);
  expect([0.3, 59.2, 600, 9000].map(timeText)).toEqual([
    "a second",
    "60 seconds",
    "10 minutes",
    "2.5 hours",
  ]);
});

describe("a map of importance", () => {
  const resultOf = (rate: number[]) =>
    ({ variables: { rate: Float64Array.from(rate) } }) as unknown as RateResult;
  const pngSize = (files: ReturnType<typeof importanceMap>) => {
    const bytes = Buffer.from([...files[1].pieces][0] as Uint8Array);
    return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  };

  test("has the width and height of the images, wherever their colours stand", () => {
    const rate = Array.from({ length: 24 }, (_, e) => e / 276);
    expect(pngSize(importanceMap(resultOf(rate), [4, 6]))).toEqual([85 * 6, 85 * 4]);
    expect(pngSize(importanceMap(resultOf(rate), [2, 3, 4]))).toEqual([128 * 4, 128 * 3]);
    expect(pngSize(importanceMap(resultOf(rate), [3, 4, 2]))).toEqual([128 * 4, 128 * 3]);
    const large = Array.from({ length: 600 }, () => 1 / 600);
    expect(pngSize(importanceMap(resultOf(large), [1, 600]))).toEqual([600, 1]);
  });

  test("is brightest at the largest share, and each pixel is a square of it", () => {
    const [, { pieces }] = importanceMap(resultOf([0, 0.8, 0.2, 0]), [2, 2]);
    const png = Buffer.from([...pieces][0] as Uint8Array);
    const rows = inflateSync(png.subarray(png.indexOf("IDAT") + 4, png.indexOf("IEND") - 8));
    const at = (y: number, x: number) => [
      ...rows.subarray(y * 1537 + 1 + 3 * x, y * 1537 + 4 + 3 * x),
    ];
    expect(at(0, 255)).toEqual([68, 1, 84]);
    for (const [y, x] of [
      [0, 256],
      [255, 511],
    ])
      expect(at(y, x)).toEqual([253, 231, 37]);
    // √(0.2/0.8) = ½, between the third and the fourth colour.
    expect(at(256, 0)).toEqual([38, 144, 137]);
  });

  test("is none of rows that are no images", () => {
    expect(importanceMap(resultOf([0.5, 0.5]), [2])).toEqual([]);
  });
});

describe("what all of some work takes", () => {
  const costs = fc.record({
    total: fc.integer({ min: 1, max: 1_000_000 }),
    first: fc.integer({ min: 1, max: 5000 }),
    start: fc.double({ min: 0, max: 2, noNaN: true }),
    each: fc.double({ min: 1e-9, max: 1e-2, noNaN: true }),
  });

  test("is exact where it is a start and so much a unit, and no more is tried than tells", async () => {
    await fc.assert(
      fc.asyncProperty(costs, async ({ total, first, start, each }) => {
        let clock = 0;
        const tried: number[] = [];
        const trial = async (units: number) => {
          // Compiling, the first time.
          const seconds = start + each * units + (tried.length === 0 ? 5 : 0);
          tried.push(units);
          clock += seconds;
          return [seconds, 0.001];
        };
        const [linear, fixed] = await extrapolate(total, first, trial, () => clock);
        const exact = start + each * total;
        expect(Math.abs(linear - exact)).toBeLessThan(1e-6 * exact + 1e-9);
        expect(fixed).toBeCloseTo(0.001, 9);
        const [largest, least] = [Math.max(...tried), Math.min(first, total)];
        expect(largest).toBeLessThanOrEqual(total);
        // One that took long enough was the last, but for a second to draw the line through.
        const enough = Math.max(4 * least, 4 * Math.max(0, (0.15 - start) / each));
        expect(largest).toBeLessThanOrEqual(Math.max(least, enough) * (1 + 1e-9));
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  test("does not count what happens in one of two trials, nor believe a trial that only waited", async () => {
    let trials = 0;
    let work = 0;
    const [seconds] = await extrapolate(
      1_000_000,
      1000,
      async (units) => {
        work += 1e-4 * units;
        // Another program's turn, of half a second in small trials too.
        return [1e-4 * units + (trials++ % 2 === 0 ? 0.5 : 0)];
      },
      () => work,
    );
    expect(seconds).toBeCloseTo(100, 6);
  });
});

describe("ranks in which rounding decides nothing", () => {
  test("are those of the scores where these differ, and of the columns where they do not", () => {
    const scores = Float64Array.of(
      0.1,
      0.3,
      0.3 * (1 + 1e-14),
      0.1 * (1 - 1e-13),
      0,
      0.2,
      0,
      Number.NaN,
    );
    expect([...settledRanks(scores)]).toEqual([4, 1, 2, 5, 6, 3, 7, 0]);
    // A thousandth of a thousandth is a difference.
    expect([...settledRanks(Float64Array.of(1, 1 + 1e-6))]).toEqual([2, 1]);
  });

  test("do not change with the rounding of equal scores", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 }),
        fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 60, maxLength: 60 }),
        (levels, noise) => {
          const sure = Float64Array.from(levels);
          const noisy = sure.map((value, j) => value * (1 + 1e-13 * noise[j]));
          expect(settledRanks(noisy)).toEqual(settledRanks(sure));
        },
      ),
      { seed: 7 },
    );
  });
});

describe("what to keep in mind", () => {
  const trained = {
    kind: "train",
    units: [4],
    penalties: undefined,
    epochs: undefined,
    batchSize: undefined,
  } as const;
  const good = {
    metric: "r2",
    ...{ score: 0.3, baseline: -0.01, standardError: 0.1, rows: 30 },
    gain: { value: 0.31, standardError: 0.1 },
  } as const;

  test("of a selection after training on the same rows is that nothing is guaranteed", () => {
    const [only] = cautions({ heldOut: good }, { fdr: 0.1, from: trained });
    expect(only).toMatchObject({ code: "selected-after-training", guaranteed: false });
    expect(only.message).toContain("may exceed 0.1");
    const [given] = cautions(
      { heldOut: null },
      { fdr: 0.1, from: { kind: "activations", path: "H" } },
    );
    expect(given.code).toBe("selected-given-network");
    expect(cautions({ heldOut: good }, { fdr: null, from: trained })).toEqual([]);
  });

  test("of a network that is no clearly better than the mean is that it may rank noise", () => {
    const bad = { ...good, score: 0.18, gain: { value: 0.19, standardError: 0.1 } };
    expect(cautions({ heldOut: bad }, { fdr: null, from: trained })[0]).toMatchObject({
      code: "no-better-than-baseline",
      message: expect.stringContaining(
        "On the 30 rows held back the network is not clearly better than the mean",
      ),
    });
  });
});

test("a network that names one class always has learnt something if its probabilities say more than the shares", () => {
  const from = {
    kind: "train",
    units: [4],
    penalties: undefined,
    epochs: undefined,
    batchSize: undefined,
  } as const;
  const same = {
    metric: "accuracy",
    score: 0.97,
    baseline: 0.97,
    standardError: 0,
    rows: 300,
  } as const;
  const told = (value: number) =>
    cautions({ heldOut: { ...same, gain: { value, standardError: 0.01 } } }, { fdr: null, from });
  expect(told(0.05)).toEqual([]);
  expect(told(0.015)[0].message).toContain(
    "not clearly better than the shares of the classes alone",
  );
});

test("a rehearsal tells what the whole pass would take, from a little of it", async () => {
  const [n, p, l] = [8, 1_000_000, 2];
  let clock = 0;
  let read = 0;
  const source: BlockSource = {
    ...{ where: "made up", format: "npy", rows: n, columns: p, names: null, rowShape: [p] },
    layout: { chunkRows: 1, chunkColumns: 1, prefers: "columns", bytesEach: 8, memoryEach: 8 },
    // Half a second to begin, and two milliseconds a column.
    readColumns: async ({ start, end }, room) => {
      clock += 500 + 2 * (end - start);
      read += end - start;
      const data = room.float64(n * (end - start)).map((_, e) => (e * 7) % 11);
      return { data, rows: n, cols: end - start };
    },
    readRows: () => expect.unreachable(),
  };
  const checked = {
    from: { kind: "train", units: [l] },
    ...{ precision: "double", fdr: null, kept: false },
  } as unknown as StreamSettings;
  const plan = planStream(source, { width: l, blockSize: p, memory: 8e9 });
  const { pass } = await rehearse(
    { source, response: null, plan, width: l, groups: undefined, checked, io: nodeIo() },
    () => clock,
  );
  expect(pass).toBeCloseTo(0.5 + 0.002 * p, 3);
  expect(read).toBeLessThan(p / 50);
});
