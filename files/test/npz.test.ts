import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RatewiseError } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readNpz, writeNpz } from "../src/npz.ts";

/** Archives written by NumPy 1.24.2, in base64. */
const archives: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, "numpy-archives.json"), "utf8"),
);
const archive = (name: string): Uint8Array => new Uint8Array(Buffer.from(archives[name], "base64"));

const arrays = new Map([
  ["mean", { shape: [3], data: Float64Array.of(1.5, -2, 3) }],
  ["factor", { shape: [3, 2], data: Float64Array.of(0, 1, 2, 3, 4, 5) }],
  ["names", { shape: [3], data: ["a", "b", "ü"] }],
] as const);

test.each(["stored", "compressed"])("reads what NumPy wrote, %s", (name) => {
  expect(readNpz(archive(name))).toEqual(arrays);
});

test.each([false, true])("reads back what it wrote, compress: %s", (compress) => {
  const bytes = writeNpz(arrays, { compress });
  expect(readNpz(bytes)).toEqual(arrays);
  expect(writeNpz(arrays, { compress })).toEqual(bytes);
});

test("reads only the arrays asked for", () => {
  const bytes = archive("stored");
  expect([...readNpz(bytes, { only: (name) => name === "mean" }).keys()]).toEqual(["mean"]);
});

/** Overwrites little-endian words of the first directory entry, at `offset` from its beginning. */
function withDirectory(bytes: Uint8Array, offset: number, value: number, width = 4): Uint8Array {
  const copy = new Uint8Array(bytes);
  const at = Buffer.from(copy.buffer).indexOf("PK\x01\x02", 0, "latin1") + offset;
  const view = new DataView(copy.buffer);
  if (width === 4) view.setUint32(at, value, true);
  else view.setUint16(at, value, true);
  return copy;
}
const zip = (files: Record<string, Uint8Array>, level: 0 | 9 = 0) =>
  zipSync(files, { level, mtime: new Date(1980, 0, 1) });
const one = writeNpy({ shape: [1], data: Float64Array.of(1) });

describe("readNpz refuses", () => {
  const stored = archive("stored");
  const compressed = archive("compressed");
  const zeros = archive("zeros");
  const cases: [string, () => unknown, RegExp][] = [
    ["nothing", () => readNpz(new Uint8Array(0)), /needs a ZIP archive/],
    [
      "another magic",
      () => readNpz(new TextEncoder().encode("{}".repeat(40))),
      /needs a ZIP archive/,
    ],
    ["a truncated archive", () => readNpz(stored.subarray(0, -30)), /truncated/],
    ["a cut beginning", () => readNpz(stored.subarray(10)), /ends where it says/],
    ["a wrong checksum", () => readNpz(withDirectory(stored, 16, 1)), /mean.npy: .*checksum/],
    [
      "a larger size than there is",
      () => readNpz(withDirectory(compressed, 24, 5000)),
      /mean.npy: .*5000 bytes it declares, got \d+; .*truncated/,
    ],
    [
      "a smaller size than there is",
      () => readNpz(withDirectory(compressed, 24, 100)),
      /mean.npy: .*100 bytes it declares, got more/,
    ],
    [
      "more bytes than allowed by default",
      () => readNpz(withDirectory(zeros, 24, 300e6)),
      /at most 268435456 bytes once inflated, got 300000000/,
    ],
    [
      "a size that DEFLATE cannot reach",
      () => readNpz(withDirectory(zeros, 24, 250e6)),
      /claims \d+ bytes from \d+ compressed ones, more than DEFLATE can pack; save it without/,
    ],
    ["an encrypted entry", () => readNpz(withDirectory(stored, 8, 1, 2)), /encrypted/],
    ["another method", () => readNpz(withDirectory(stored, 10, 12, 2)), /method 12/],
    [
      "an offset past the end",
      () => readNpz(withDirectory(stored, 42, 1e9)),
      /beginning of "mean.npy"/,
    ],
    [
      "entries that overlap",
      () => readNpz(withDirectory(withDirectory(stored, 20, 1200), 24, 1200)),
      /overlap|end of them/,
    ],
    [
      "more entries than allowed",
      () => readNpz(stored, { maxEntries: 2 }),
      /at most 2 entries, got 3/,
    ],
    [
      "more bytes than allowed",
      () => readNpz(zeros, { limit: 1000 }),
      /at most 1000 bytes once inflated, got 800128/,
    ],
    [
      "a file that is no array",
      () => readNpz(zip({ "a.txt": one })),
      /needs .npy files only, got "a.txt"/,
    ],
    [
      "a pickle",
      () => readNpz(zip({ "a.npy": new TextEncoder().encode("cos\nsystem\n(S'ls'\ntR.") })),
      /a.npy: needs the magic/,
    ],
    [
      "a path upwards",
      () => readNpz(zip({ "../../a.npy": one })),
      /plain names, got "..\/..\/a.npy"/,
    ],
    ["a path from the root", () => readNpz(zip({ "/etc/a.npy": one })), /plain names/],
    [
      "a name with an escape sequence",
      () => readNpz(zip({ "\x1b[2J.npy": one })),
      /plain names, got "\\u001b\[2J.npy"/,
    ],
  ];
  test.each(cases)("%s", (_, read, message) => {
    expect(read).toThrow(RatewiseError);
    expect(read).toThrow(message);
  });

  test("a name twice", () => {
    const twice = Buffer.from(zip({ "a.npy": one, "b.npy": one }));
    expect(() =>
      readNpz(
        new Uint8Array(
          Buffer.from(twice.toString("latin1").replaceAll("b.npy", "a.npy"), "latin1"),
        ),
      ),
    ).toThrow('needs every name once, got "a" twice');
  });

  test("a bomb, before it has grown", () => {
    const grown = 48 * 2 ** 20;
    const limit = 2 ** 20;
    const bomb = zip({ "mean.npy": new Uint8Array(grown) }, 9);
    expect(bomb.length).toBeLessThan(grown / 900);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => readNpz(bomb, { limit })).toThrow(
      /at most 1048576 bytes once inflated, got 50331648/,
    );
    // Declared small, so that only inflating it shows what it is.
    const liar = withDirectory(bomb, 24, 1000);
    expect(() => readNpz(liar, { limit })).toThrow(/1000 bytes it declares, got more/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40 * 2 ** 20);
  });
});

test("fuzzing readNpz: archives changed, cut or added to, and random bytes", () => {
  const survives = (bytes: Uint8Array): void => {
    try {
      for (const { shape, data } of readNpz(bytes, { limit: 1e6 }).values())
        expect(data.length).toBe(shape.reduce((product, n) => product * n, 1));
    } catch (error) {
      if (!(error instanceof RatewiseError)) throw error;
    }
  };
  const originals = ["stored", "compressed"].map((name) => [...archive(name)]);
  const splice = fc.record({
    at: fc.nat(1400),
    remove: fc.nat(6),
    insert: fc.uint8Array({ maxLength: 6 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(splice, { maxLength: 4 }),
      (start, splices) => {
        let bytes = start;
        for (const { at, remove, insert } of splices)
          bytes = bytes.toSpliced(at, remove, ...insert);
        survives(Uint8Array.from(bytes));
      },
    ),
    { seed: 1, numRuns: 2000 },
  );
  // Bytes overwritten in place keep every offset true, and so reach deeper.
  const overwrite = fc.tuple(fc.nat(1400), fc.nat(255));
  fc.assert(
    fc.property(
      fc.constantFrom(...originals),
      fc.array(overwrite, { minLength: 1, maxLength: 4 }),
      (start, changes) => {
        const bytes = Uint8Array.from(start);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        survives(bytes);
      },
    ),
    { seed: 2, numRuns: 4000 },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), survives), { seed: 3, numRuns: 1000 });
});
