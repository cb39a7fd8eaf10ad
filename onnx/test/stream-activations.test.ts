import { writeNpy } from "@ratewise/core/data";
import { bytesInMemory, npySource } from "@ratewise/core/stream";
import { describe, expect, test } from "vitest";
import { activations, openNetwork, streamActivations } from "../src/index.ts";
import { head, last, n, trunk, X } from "./support/small-network.ts";
import { writeOnnx } from "./support/write-onnx.ts";

const rows = () =>
  npySource(bytesInMemory(writeNpy({ shape: [n, 4], data: X.data })), { where: "x.npy" });
const network = (batch: number | string) =>
  openNetwork(
    writeOnnx({
      inputs: [{ name: "x", shape: [batch, 4] }],
      outputs: [{ name: "f", shape: [batch, 1] }],
      nodes: [...trunk, head],
      weights: last,
    }),
  );

describe.each([
  ["any number of rows", "n"],
  ["four rows at a time", 4],
])("a network for %s", (_, batch) => {
  test("makes of streamed rows what it makes of rows in memory", async () => {
    const net = await network(batch);
    const [got, expected] = [await streamActivations(net, await rows()), await activations(net, X)];
    for (const field of ["hidden", "functions"] as const) {
      expect([got[field].rows, got[field].cols]).toEqual([n, expected[field].cols]);
      for (const [e, value] of got[field].data.entries())
        expect(Math.abs(value - expected[field].data[e])).toBeLessThan(1e-6);
    }
    expect(got.hidden.data.some((value) => value !== 0)).toBe(true);
  });
});

test("progress ends at the last row; a number that is none is named; another width is refused", async () => {
  const net = await network("n");
  const heard: number[] = [];
  await streamActivations(net, await rows(), { onProgress: ({ done }) => void heard.push(done) });
  expect(heard.at(-1)).toBe(n);
  const broken = X.data.slice();
  broken[9] = Number.NaN;
  const bad = await npySource(bytesInMemory(writeNpy({ shape: [n, 4], data: broken })));
  await expect(streamActivations(net, bad, { where: "net.onnx" })).rejects.toThrow(
    "net.onnx: needs finite inputs, got NaN in row 2, column 1",
  );
  const wide = await npySource(bytesInMemory(writeNpy({ shape: [8, 5], data: X.data })));
  await expect(streamActivations(net, wide)).rejects.toThrow("needs rows of 4 numbers, got 5");
});
