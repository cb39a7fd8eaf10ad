import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type NpyArray, readNpy, writeNpy } from "../../src/data/npy.ts";
import { RatewiseError } from "../../src/errors.ts";

/** Files written by NumPy 1.24.2, in base64. */
const numpyFiles: Record<string, string> = JSON.parse(
  readFileSync(join(import.meta.dirname, "numpy-files.json"), "utf8"),
);
const numpyFile = (name: string): Uint8Array =>
  new Uint8Array(Buffer.from(numpyFiles[name], "base64"));

/** A version 1.0 file whose header is `dictionary` and whose numbers are `body`. */
function file(dictionary: string, body: Uint8Array = new Uint8Array(0)): Uint8Array {
  const bytes = new Uint8Array(10 + dictionary.length + body.length);
  bytes.set([
    0x93,
    0x4e,
    0x55,
    0x4d,
    0x50,
    0x59,
    1,
    0,
    dictionary.length & 255,
    dictionary.length >> 8,
  ]);
  bytes.set(Buffer.from(dictionary, "latin1"), 10);
  bytes.set(body, 10 + dictionary.length);
  return bytes;
}
const header = (descr: string, shape: string, fortran = "False") =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;
const doubles = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer);

describe("readNpy reads what NumPy wrote", () => {
  const signed = ["<f4", "<f8", ">f4", ">f8", "|i1", "<i2", "<i4", "<i8", ">i2", ">i4", ">i8"];
  test.each(signed)("%s", (name) => {
    const { shape, data } = readNpy(numpyFile(name));
    expect(shape).toEqual([2, 3]);
    expect([...data]).toEqual([-2, -1, 0, 1, 2, 3]);
  });

  test.each(["|u1", "<u2", "<u4", "<u8", ">u8"])("%s", (name) => {
    expect([...readNpy(numpyFile(name)).data]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("booleans, as 0 and 1", () => {
    expect([...readNpy(numpyFile("|b1")).data]).toEqual([0, 1, 0, 1, 0, 1]);
  });

  test("Fortran order, in two and three dimensions", () => {
    expect([...readNpy(numpyFile("fortran <f8")).data]).toEqual([0, 1, 2, 3, 4, 5]);
    const { shape, data } = readNpy(numpyFile("fortran 3d >i2"));
    expect(shape).toEqual([2, 3, 4]);
    expect([...data]).toEqual([...Array(24).keys()]);
  });

  test.each(["v2", "v3"])("format %s", (name) => {
    expect([...readNpy(numpyFile(name)).data]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("a scalar and an empty array", () => {
    expect(readNpy(numpyFile("scalar"))).toEqual({ shape: [], data: Float64Array.of(2.5) });
    expect(readNpy(numpyFile("empty"))).toEqual({ shape: [0, 3], data: new Float64Array(0) });
  });

  test("text, in both byte orders and as bytes", () => {
    expect(readNpy(numpyFile("text")).data).toEqual(["rs1", "é", "𝛽x", ""]);
    expect(readNpy(numpyFile("text big")).data).toEqual(["ab", "c"]);
    expect(readNpy(numpyFile("bytes")).data).toEqual(["ab", "c"]);
  });

  test("numbers keep their type", () => {
    expect(readNpy(numpyFile("<f4")).data).toBeInstanceOf(Float32Array);
    expect(readNpy(numpyFile("<i2")).data).toBeInstanceOf(Int16Array);
    expect(readNpy(numpyFile("<i8")).data).toBeInstanceOf(Float64Array);
  });
});

test("aligned little-endian numbers share memory with the file; others are copied", () => {
  const bytes = numpyFile("<f8");
  expect((readNpy(bytes).data as Float64Array).buffer).toBe(bytes.buffer);
  const shifted = new Uint8Array(bytes.length + 1);
  shifted.set(bytes, 1);
  expect([...readNpy(shifted.subarray(1)).data]).toEqual([-2, -1, 0, 1, 2, 3]);
});

describe("readNpy refuses", () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ["nothing", new Uint8Array(0), /at least 10 bytes, got 0 bytes/],
    ["another magic", new TextEncoder().encode("PK\x03\x04 not numpy"), /magic .* at byte 0/],
    ["an unknown version", numpyFile("<f8").with(6, 9), /version 1.0, 2.0 or 3.0, got 9.0/],
    ["pickled objects", numpyFile("object"), /pickled Python objects, which are programs/],
    ["structured arrays", numpyFile("structured"), /plain numbers, got a structured array/],
    ["complex numbers", numpyFile("complex"), /type "<c16"/],
    ["half precision", numpyFile("half"), /type "<f2"/],
    ["dates", numpyFile("date"), /type "<M8\[D\]"/],
    ["a truncated body", numpyFile("<f8").subarray(0, -1), /needs 48 bytes .* got 47; .*truncated/],
    [
      "a truncated header",
      numpyFile("<f8").subarray(0, 60),
      /header of 118 bytes, got a file of 60/,
    ],
    [
      "a longer body",
      file(header("<f8", "(1,)"), doubles(1, 2)),
      /needs 8 bytes .* got 16; .*longer than its header says/,
    ],
    ["an absurd shape", file(header("<f8", "(1000000000, 1000000000)")), /got 0; .*truncated/],
    ["a product that overflows", file(header("<f8", `(${"99999999, ".repeat(60)})`)), /truncated/],
    ["a size past 2^53", file(header("<f8", "(99999999999999999999, 0)")), /below 2\^53/],
    ["a negative size", file(header("<f8", "(-1,)")), /shape of whole numbers/],
    ["too many dimensions", file(header("<f8", `(${"1, ".repeat(65)})`)), /at most 64 dimensions/],
    ["text of width 0", file(header("<U0", "(1000000000000,)")), /type "<U0"/],
    [
      "text that is not Unicode",
      file(header("<U1", "(1,)"), Uint8Array.of(255, 255, 255, 127)),
      /Unicode/,
    ],
    ["bytes that are not ASCII", file(header("|S1", "(1,)"), Uint8Array.of(200)), /ASCII/],
    ["an integer past 2^53", file(header("<i8", "(1,)"), new Uint8Array(8).fill(127)), /2\^53/],
    ["a key twice", file(header("<f8", "(1,), 'shape': (1,)"), doubles(1)), /once each/],
    ["another key", file("{'descr': '<f8', 'evil': 1}\n"), /another key "evil"/],
    ["a missing key", file("{'descr': '<f8', 'fortran_order': False}\n"), /only 2 of them/],
    ["code", file("__import__('os').system('ls')\n"), /begins with \{/],
    ["code in the shape", file(header("<f8", "(1, f())"), doubles(1)), /whole numbers/],
    [
      "text after the header",
      file("{'descr': '<f8', 'fortran_order': False, 'shape': ()} 1\n", doubles(1)),
      /nothing after/,
    ],
    [
      "a header past the limit",
      Uint8Array.of(0x93, 78, 85, 77, 80, 89, 2, 0, 255, 255, 255, 255),
      /at most 65535/,
    ],
  ];
  test.each(cases)("%s", (_, bytes, message) => {
    expect(() => readNpy(bytes)).toThrow(RatewiseError);
    expect(() => readNpy(bytes)).toThrow(message);
  });
});

describe("writeNpy", () => {
  test("writes the bytes NumPy writes", () => {
    const numbers = [-2, -1, 0, 1, 2, 3];
    for (const [name, data] of [
      ["<f8", Float64Array.from(numbers)],
      ["<f4", Float32Array.from(numbers)],
      ["|i1", Int8Array.from(numbers)],
      ["<i2", Int16Array.from(numbers)],
      ["<i4", Int32Array.from(numbers)],
      ["|u1", Uint8Array.of(0, 1, 2, 3, 4, 5)],
      ["<u2", Uint16Array.of(0, 1, 2, 3, 4, 5)],
      ["<u4", Uint32Array.of(0, 1, 2, 3, 4, 5)],
    ] as const)
      expect(writeNpy({ shape: [2, 3], data }), name).toEqual(numpyFile(name));
    expect(writeNpy({ shape: [4], data: ["rs1", "é", "𝛽x", ""] })).toEqual(numpyFile("text"));
  });

  test("comes back the same from readNpy", () => {
    const array: fc.Arbitrary<NpyArray> = fc.oneof(
      fc.float64Array().map((data) => ({ shape: [data.length], data })),
      fc.float32Array().map((data) => ({ shape: [1, data.length], data })),
      fc.int16Array().map((data) => ({ shape: [data.length, 1], data })),
      fc
        .array(fc.string({ unit: "grapheme" }).filter((text) => !text.endsWith("\0")))
        .map((data) => ({ shape: [data.length], data })),
    );
    fc.assert(
      fc.property(array, (value) => {
        expect(readNpy(writeNpy(value))).toEqual(value);
      }),
      { seed: 1 },
    );
  });

  test("refuses a shape that disagrees, and half a surrogate pair", () => {
    expect(() => writeNpy({ shape: [2, 2], data: new Float64Array(3) })).toThrow(
      "writeNpy: needs 4 values for shape (2, 2), got 3",
    );
    expect(() => writeNpy({ shape: [1], data: ["\ud800"] })).toThrow("half a pair at 0");
  });
});

/** Whatever comes in, either an array comes out or a RatewiseError does. */
function survives(bytes: Uint8Array): void {
  try {
    const { shape, data } = readNpy(bytes);
    expect(data.length).toBe(shape.reduce((product, n) => product * n, 1));
    expect(data.length).toBeLessThanOrEqual(bytes.length);
  } catch (error) {
    if (!(error instanceof RatewiseError)) throw error;
  }
}

describe("fuzzing readNpy", () => {
  test("random bytes, with and without the magic", () => {
    const magic = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (tail, withMagic) => {
        survives(withMagic ? Uint8Array.from([...magic, ...tail]) : tail);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  test("files of NumPy with bytes changed, cut or added", () => {
    const names = fc.constantFrom(...Object.keys(numpyFiles));
    const change = fc.record({
      at: fc.nat(300),
      remove: fc.nat(5),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 5 }),
        fc
          .constantFrom("9", "(", ")", ",", "'", "{", "}", "-", "<U0", "|O")
          .map((t) => Buffer.from(t)),
      ),
    });
    fc.assert(
      fc.property(names, fc.array(change, { minLength: 1, maxLength: 4 }), (name, changes) => {
        let bytes = [...numpyFile(name)];
        for (const { at, remove, insert } of changes)
          bytes = bytes.toSpliced(at, remove, ...insert);
        survives(Uint8Array.from(bytes));
      }),
      { seed: 1, numRuns: 4000 },
    );
  });
});
