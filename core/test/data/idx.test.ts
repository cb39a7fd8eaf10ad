import fc from "fast-check";
import { expect, test } from "vitest";
import { looksLikeIdx, readIdx } from "../../src/data/index.ts";

const images = Uint8Array.of(
  0,
  0,
  8,
  3,
  0,
  0,
  0,
  2,
  0,
  0,
  0,
  1,
  0,
  0,
  0,
  3,
  1,
  2,
  3,
  253,
  254,
  255,
);

test("reads images in bytes, and big-endian numbers of the other types", () => {
  expect(readIdx(images)).toEqual({
    shape: [2, 1, 3],
    data: Uint8Array.of(1, 2, 3, 253, 254, 255),
  });
  const halves = Uint8Array.of(0, 0, 11, 1, 0, 0, 0, 2, 0xff, 0xfe, 1, 0);
  expect(readIdx(halves)).toEqual({ shape: [2], data: Int16Array.of(-2, 256) });
  const double = Uint8Array.of(0, 0, 14, 1, 0, 0, 0, 1, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0);
  expect(readIdx(double).data).toEqual(Float64Array.of(1.5));
  expect(looksLikeIdx(images)).toBe(true);
  expect(looksLikeIdx(new TextEncoder().encode("a,b\n"))).toBe(false);
});

test("says what is wrong with its bytes", () => {
  expect(() => readIdx(images.subarray(0, -1))).toThrow(
    "needs 22 bytes for 2 × 1 × 3 numbers, got 21",
  );
  expect(() => readIdx(images.subarray(0, 9))).toThrow("needs 16 bytes of header, got 9");
  expect(() => readIdx(images.with(2, 7))).toThrow("this is not an IDX file");
  const absurd = Uint8Array.of(0, 0, 8, 2, 255, 255, 255, 255, 255, 255, 255, 255);
  expect(() => readIdx(absurd)).toThrow("the file is cut off or its header is wrong");
});

test("any bytes are read or refused in one line", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (bytes, begun) => {
      const start = begun ? Uint8Array.of(0, 0, 8, 1, ...bytes) : bytes;
      try {
        expect(readIdx(start).data.length).toBeLessThanOrEqual(start.length);
      } catch (error) {
        expect((error as Error).message).toMatch(/^readIdx: needs /);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});
