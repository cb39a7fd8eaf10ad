import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { writePng } from "../src/index.ts";

test("a picture is written as its pixels, and read back by zlib", () => {
  const rgb = Uint8Array.from({ length: 3 * 6 }, (_, e) => e * 10);
  const png = Buffer.from(writePng({ width: 3, height: 2, rgb }));
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  expect(png.toString("latin1", 12, 16)).toBe("IHDR");
  expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]).toEqual([3, 2, 8, 2]);
  const length = png.readUInt32BE(33);
  expect(png.toString("latin1", 37, 41)).toBe("IDAT");
  const rows = inflateSync(png.subarray(41, 41 + length));
  expect([...rows]).toEqual([0, ...rgb.subarray(0, 9), 0, ...rgb.subarray(9)]);
  // The checksum of an empty IEND is a constant of the format.
  expect(png.subarray(-4).toString("hex")).toBe("ae426082");
});

test("another number of colours is refused", () => {
  expect(() => writePng({ width: 2, height: 2, rgb: new Uint8Array(3) })).toThrow(
    "needs 12 numbers for 2×2 pixels, got 3",
  );
});
