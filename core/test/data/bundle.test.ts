import fc from "fast-check";
import { expect, test } from "vitest";
import { readBundle, writeBundle } from "../../src/data/bundle.ts";
import { RatewiseError } from "../../src/errors.ts";

const example = {
  kind: "model",
  weights: Float32Array.of(0.1, -0, 3e-38),
  nested: [{ a: Float64Array.of(Math.PI, Number.NaN) }, { b: new Uint8Array(3), c: null }],
  number: 0.1 + 0.2,
  text: "naïve “quotes”",
};

test("plain data with typed arrays comes back equal to the bit", () => {
  expect(readBundle(writeBundle(example), "m")).toEqual(example);
  const arrays = fc.record({
    x: fc.float32Array(),
    y: fc.float64Array(),
    z: fc.int32Array(),
    s: fc.string(),
    v: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((v) => !Object.is(v, -0)),
  });
  fc.assert(
    fc.property(arrays, (value) => {
      const plain = { ...value }; // fast-check's records have no prototype
      expect(readBundle(writeBundle(plain), "m")).toEqual(plain);
    }),
    { seed: 1 },
  );
});

test("a Buffer, which is a view of a larger memory, reads as an array does", () => {
  expect(readBundle(Buffer.from(writeBundle(example)), "m")).toEqual(example);
});

test("writing the same data twice gives the same bytes", () => {
  expect(writeBundle(example)).toEqual(writeBundle(structuredClone(example)));
});

test("foreign, cut and damaged files are refused in plain words", () => {
  const bytes = writeBundle(example);
  expect(() => readBundle(new TextEncoder().encode("hello, I am a text"), "t.txt")).toThrow(
    "t.txt: this is not a ratewise file",
  );
  expect(() => readBundle(bytes.subarray(0, bytes.length - 1), "m")).toThrow("damaged or cut off");
  for (let at = 16; at < bytes.length; at += 7) {
    const damaged = bytes.slice();
    damaged[at] ^= 1;
    expect(() => readBundle(damaged, "m")).toThrow("damaged or cut off");
  }
  const later = bytes.slice();
  later[12] = 9;
  expect(() => readBundle(later, "m")).toThrow("layout 9 is not one this version reads");
});

test("any bytes give an answer or a RatewiseError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(30), (noise, at) => {
      const bytes = writeBundle({ a: Float64Array.of(1, 2) });
      bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), at);
      for (const hostile of [noise, bytes]) {
        try {
          readBundle(hostile, "m");
        } catch (error) {
          expect(error).toBeInstanceOf(RatewiseError);
        }
      }
    }),
    { seed: 1 },
  );
});

test("what cannot be stored is refused", () => {
  expect(() => writeBundle({ a: Number.NaN })).toThrow('got NaN at "a"');
  expect(() => writeBundle({ a: new BigInt64Array(1) })).toThrow("cannot store a BigInt64Array");
});
