import { gzipSync } from "node:zlib";
import { RatewiseError } from "@ratewise/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gunzip } from "../src/gzip.ts";

const gzip = (bytes: Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytes));
const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

test("gives back what zlib compressed, in one member and in several", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }),
      (parts) => {
        expect(gunzip(join(...parts.map(gzip)))).toEqual(join(...parts));
      },
    ),
    { seed: 1 },
  );
  const long = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 7);
  expect(gunzip(join(gzip(long), gzip(long)))).toEqual(join(long, long));
});

describe("gunzip refuses", () => {
  const good = gzip(new TextEncoder().encode("variable,group\n"));
  const cases: [string, () => unknown, RegExp][] = [
    ["nothing", () => gunzip(new Uint8Array(0)), /at least 18 bytes, got 0/],
    ["another magic", () => gunzip(new Uint8Array(40)), /damaged bytes/],
    ["a truncated file", () => gunzip(good.subarray(0, -9)), /damaged|truncated/],
    ["a wrong checksum", () => gunzip(good.with(good.length - 5, 0xaa)), /checksum/],
    [
      "a wrong checksum in the first member",
      () => gunzip(join(good.with(good.length - 5, 0xaa), good)),
      /checksum/,
    ],
    [
      "a bomb",
      () => gunzip(gzip(new Uint8Array(1e6)), { limit: 1e5 }),
      /at most 100000 bytes once inflated/,
    ],
  ];
  test.each(cases)("%s", (_, read, message) => {
    expect(read).toThrow(RatewiseError);
    expect(read).toThrow(message);
  });
});

test("fuzzing gunzip: a file with bytes overwritten or cut", () => {
  const good = join(
    gzip(new Uint8Array(500).fill(65)),
    gzip(Uint8Array.from({ length: 300 }, (_, i) => (i * 37) & 255)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 }),
      fc.nat(good.length),
      (changes, end) => {
        const bytes = good.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          gunzip(bytes.subarray(0, end), { limit: 1e5 });
        } catch (error) {
          if (!(error instanceof RatewiseError)) throw error;
        }
      },
    ),
    { seed: 1, numRuns: 3000 },
  );
});
