import { serialize } from "node:v8";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packPayload, packResult, unpackPayload, unpackResult } from "../src/pack.ts";

/** Packs and unpacks, with the blobs in a map. */
async function through(
  payload: unknown,
): Promise<{ back: unknown; blobs: Map<string, Uint8Array> }> {
  const blobs = new Map<string, Uint8Array>();
  const packed = await packPayload(payload, async (hash, bytes) => {
    blobs.set(hash, bytes.slice());
  });
  return { back: await unpackPayload(packed, async (hash) => blobs.get(hash)!), blobs };
}

const large = Float64Array.from({ length: 20_000 }, (_, i) => Math.sqrt(i) - 3);

describe("payloads", () => {
  test("come back as they were, large arrays apart and each once", async () => {
    const shared = new Float32Array(new SharedArrayBuffer(400_000)).fill(0.1);
    const view = large.subarray(5, 15_000);
    const payload = {
      X: { data: shared, rows: 10 },
      y: large,
      again: [large, view],
      key: [1, -0, Number.NaN, null, undefined, "x"],
    };
    const { back, blobs } = await through(payload);
    expect(back).toEqual({ ...payload, X: { data: new Float32Array(shared), rows: 10 } });
    expect(Object.is((back as typeof payload).key[1], -0)).toBe(true);
    expect([...blobs.values()].map(({ length }) => length).sort()).toEqual([
      119_960, 160_000, 400_000,
    ]);
  });

  test("are not shared between those who unpack them", async () => {
    const { back } = await through({ a: large, b: large });
    const { a, b } = back as { a: Float64Array; b: Float64Array };
    a[0] = 17;
    expect(b[0]).toBe(large[0]);
  });

  test("of any plain data come back as they were", async () => {
    const leaf = fc.oneof(
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.float64Array(),
    );
    const data = fc.letrec((tie) => ({
      value: fc.oneof(
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).value;
    await fc.assert(
      fc.asyncProperty(data, async (value) => {
        expect((await through(value)).back).toEqual(value);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test.each([
    ["other bytes", Buffer.from("no such thing")],
    ["another value", serialize(3)],
    [
      "a place that is not there",
      serialize({ value: { a: 1 }, apart: [{ path: ["b"], type: "Float64Array", hash: "x" }] }),
    ],
    [
      "a place in the prototype",
      serialize({
        value: {},
        apart: [{ path: ["__proto__", "x"], type: "Float64Array", hash: "x" }],
      }),
    ],
    [
      "an array type that is none",
      serialize({ value: { a: 1 }, apart: [{ path: ["a"], type: "Function", hash: "x" }] }),
    ],
    [
      "half a number",
      serialize({ value: { a: 1 }, apart: [{ path: ["a"], type: "Float32Array", hash: "odd" }] }),
    ],
  ])("from %s are refused", async (_, bytes) => {
    await expect(
      unpackPayload(bytes, async (hash) => new Uint8Array(hash === "odd" ? 7 : 8)),
    ).rejects.toThrow();
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe("results", () => {
  const result = {
    network: { parameters: Float32Array.of(0.1, -0, Number.NaN) },
    history: [{ loss: 1 / 3 }],
  };
  test("come back as they were", () => {
    expect(unpackResult(packResult(result))).toEqual({ value: result });
  });

  test("that are damaged anywhere, or cut off, are none", () => {
    const bytes = packResult(result);
    for (let at = 0; at < bytes.length; at += 3) {
      const damaged = Uint8Array.from(bytes);
      damaged[at] ^= 1;
      expect(unpackResult(damaged)).toBeUndefined();
      expect(unpackResult(bytes.subarray(0, at))).toBeUndefined();
    }
  });
});
