import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { matrix } from "@ratewise/core";
import { readNpy, writeNpy } from "@ratewise/core/data";
import { beforeAll, describe, expect, test } from "vitest";
import { zarrStore } from "../../files/test/support/zarr-store.ts";
import { writeOnnx } from "../../onnx/test/support/write-onnx.ts";
import { run } from "./support/run.ts";
import { file, gaussian, n } from "./support/stream-files.ts";

describe("aligned images with the last hidden layer of an ONNX network", () => {
  const [height, width] = [6, 9];
  const pixels = matrix(
    n,
    height * width,
    Float64Array.from({ length: n * height * width }, () => Math.fround(gaussian())),
  );
  const weights = (rows: number, cols: number) => ({
    dims: [rows, cols],
    data: Array.from({ length: rows * cols }, () => 0.4 * gaussian()),
  });
  beforeAll(() => {
    writeFileSync(
      file("images.npy"),
      writeNpy({ shape: [n, height, width], data: Float32Array.from(pixels.data) }),
    );
    const store = zarrStore(
      { version: 3, shape: [n, height, width], chunks: [7, 4, 5], type: "float32" },
      ([i, r, c]) => pixels.data[(i * height + r) * width + c],
    );
    for (const [key, bytes] of store) {
      mkdirSync(dirname(join(file("images.zarr"), key)), { recursive: true });
      writeFileSync(join(file("images.zarr"), key), bytes);
    }
    writeFileSync(
      file("net.onnx"),
      writeOnnx({
        inputs: [{ name: "x", shape: ["n", height, width] }],
        outputs: [{ name: "y", shape: ["n", 1] }],
        nodes: [
          { op: "Flatten", inputs: ["x"], outputs: ["flat"] },
          { op: "MatMul", inputs: ["flat", "w1"], outputs: ["z"] },
          { op: "Tanh", inputs: ["z"], outputs: ["h"] },
          { op: "MatMul", inputs: ["h", "w2"], outputs: ["y"] },
        ],
        weights: { w1: weights(height * width, 4), w2: weights(4, 1) },
      }),
    );
  });

  test.each(["images.npy", "images.zarr"])(
    "%s gives a map of importance as NPY and PNG",
    async (name) => {
      const out = file(`map-of-${name}`);
      const { code, err } = await run([
        "stream",
        file(name),
        "--model",
        file("net.onnx"),
        "--target",
        file("y.npy"),
        "--out",
        out,
      ]);
      expect(code, err).toBe(0);
      const map = readNpy(readFileSync(join(out, "importance-map.npy")));
      expect(map.shape).toEqual([height, width]);
      const { variables } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
      expect(variables[width + 2].name).toBe("r1c2");
      expect([...(map.data as Float64Array)]).toEqual(
        variables.map((row: { rate: number }) => row.rate),
      );
      const png = readFileSync(join(out, "importance-map.png"));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([56 * width, 56 * height]);
    },
  );

  test("is the map that explain has of the same network and pixels in memory", async () => {
    const out = file("map-again");
    await run([
      "stream",
      file("images.npy"),
      "--model",
      file("net.onnx"),
      "--target",
      file("y.npy"),
      "--out",
      out,
    ]);
    const explained = await run([
      "explain",
      file("images.npy"),
      "--model",
      file("net.onnx"),
      "--target",
      file("y.npy"),
      "--bias",
      "integrated",
      "--json",
    ]);
    expect(explained.code, explained.err).toBe(0);
    const shares = JSON.parse(explained.out).variables.map((row: { rate: number }) => row.rate);
    const map = readNpy(readFileSync(join(out, "importance-map.npy"))).data as Float64Array;
    for (const [j, share] of map.entries()) expect(Math.abs(share - shares[j])).toBeLessThan(1e-9);
  });
});
