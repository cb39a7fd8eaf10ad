import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentHash, taskId } from "../../src/parallel/index.ts";

const id = (payload: unknown, kind = "kind", version = "1"): string =>
  taskId({ kind, payload }, version);

describe("taskId", () => {
  test("is the same on every run and machine", () => {
    const payload = {
      name: "blocks",
      sizes: [1, 2.5, -0],
      weights: new Float64Array([1 / 3, -1e-300, Infinity]),
      counts: new Int32Array([1, -2]),
      nothing: null,
      flag: true,
      big: 12n,
    };
    // The digest of the same encoding written out with Python's struct and hashlib.
    expect(id(payload)).toBe("fb5927515a794ac04b07c2e070aefb2bd16932ede4df7a00f9af41fd98ce69d3");
  });

  test("does not depend on the order of keys, nor on whether memory is shared or part of more", () => {
    const shared = new Float64Array(new SharedArrayBuffer(16));
    shared.set([1, 2]);
    const part = new Float64Array([0, 1, 2, 3]).subarray(1, 3);
    expect(id({ a: 1, b: { c: 2, d: 3 } })).toBe(id({ b: { d: 3, c: 2 }, a: 1 }));
    expect(id(shared)).toBe(id(new Float64Array([1, 2])));
    expect(id(part)).toBe(id(new Float64Array([1, 2])));
  });

  test("keeps apart what differs in value, type, shape, place, kind or code version", () => {
    const bytes = new Uint8Array([0, 0, 128, 63]);
    const ids = [
      id(new Float64Array([0])),
      id(new Float64Array([-0])),
      id(0),
      id(-0),
      id([0]),
      id([[0]]),
      id("0"),
      id(0n),
      id(null),
      id(undefined),
      id(false),
      id({}),
      id([]),
      id(""),
      id({ a: undefined }),
      id({ a: null }),
      id({ a: 1, b: 2 }),
      id({ a: 2, b: 1 }),
      id([1, 2]),
      id([2, 1]),
      id(["ab", "c"]),
      id(["a", "bc"]),
      id("\ud800"),
      id("\ud801"),
      id(Number.NaN),
      id("NaN"),
      id(bytes),
      id(bytes.buffer),
      id(new Int8Array(bytes.buffer)),
      id(new Float32Array(bytes.buffer)),
      id(new Uint32Array(bytes.buffer)),
      id(new Int32Array(bytes.buffer)),
      id(0, "other kind"),
      id(0, "kind", "2"),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("is 64 hexadecimal digits, equal exactly for equal data", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(id(a)).toMatch(/^[0-9a-f]{64}$/);
        expect(id(a)).toBe(id(structuredClone(a)));
        expect(id(a) === id(b)).toBe(sorted(a) === sorted(b));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each([
    ["a function", { f: () => 1 }, "a function at payload.f"],
    ["a Map", { deep: [0, new Map()] }, "a Map at payload.deep[1]"],
    ["an instance of a class", { key: new (class Box {})() }, "a Object at payload.key"],
    ["a symbol", Symbol("s"), "a symbol at payload"],
    ["a DataView", new DataView(new ArrayBuffer(1)), "a DataView at payload"],
  ])("refuses %s and says where it is", (_, payload, message) => {
    expect(() => id(payload)).toThrow(
      expect.objectContaining({ code: "domain", message: expect.stringContaining(message) }),
    );
  });

  test("refuses a cycle, and takes the same object twice", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(() => id(loop)).toThrow("a cycle at payload.self");
    const twice = { x: 1 };
    expect(id([twice, twice])).toBe(id([{ x: 1 }, { x: 1 }]));
  });
});

test("contentHash hashes data alone, and refuses code in its own name", () => {
  // sha256 of "number;" and the eight bytes of 1, by Python's hashlib.
  expect(contentHash(1)).toBe(
    "sha256:258b02c893fb74af54f8b76ae2cb5d495ee50b35ab0cb8b09f2aaad17c76c2d6",
  );
  expect(() => contentHash([() => 1])).toThrow(
    "contentHash: needs plain data and typed arrays, got a function at value[0]",
  );
});

/** JSON with keys in order, −0 kept apart from 0. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (Object.is(part, -0)) return "-0 the number";
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
