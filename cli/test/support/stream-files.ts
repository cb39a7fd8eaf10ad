import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fold, keyFromSeed, type Matrix, matrix, normals, rate, uniforms } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { effectSizes } from "@ratewise/core/effects";
import { refitLastLayer } from "@ratewise/core/posterior";
import { writeParquet } from "@ratewise/files";
import { beforeAll } from "vitest";
import { zarrStore } from "../../../files/test/support/zarr-store.ts";
import { temporaryFolder } from "./run.ts";

/** One X of genotypes, its hidden layer and its response, in every format that can be streamed. */
export const here = temporaryFolder();
export const file = (name: string): string => join(here, name);
export const [n, p, l] = [60, 40, 3];
export const gaussian = normals(fold(keyFromSeed(1), "numbers"));
const uniform = uniforms(fold(keyFromSeed(1), "codes"));
export const H = matrix(n, l, Float64Array.from({ length: n * l }, gaussian));
const codes = Uint8Array.from({ length: n * p }, () => [0, 2, 3][Math.floor(3 * uniform())]);
export const X: Matrix = matrix(
  n,
  p,
  Float64Array.from(codes, (code) => [2, 0, 1, 0][code]),
);
export const y = Float64Array.from(
  { length: n },
  (_, i) => X.data[i * p + 7] - X.data[i * p + 2] + H.data[i * l] + 0.2 * gaussian(),
);
export const names = Array.from({ length: p }, (_, j) => `rs${j}`);

/** What streaming has to come to, from everything in memory. */
export function expected() {
  const { posterior, noiseVariance } = refitLastLayer(H, y, {
    link: "identity",
    around: "mode",
    bias: "integrated",
  });
  const effects = effectSizes(X, H, posterior.outputs[0], { noiseVariance: noiseVariance!, names });
  return rate(effects, { groups: [{ name: "g", members: [1, 2, 7] }] });
}

export function writeBed(name: string, cut = 0): void {
  const stride = Math.ceil(n / 4);
  const bytes = new Uint8Array(3 + p * stride);
  bytes.set([0x6c, 0x1b, 1]);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++)
      bytes[3 + j * stride + (i >> 2)] |= codes[i * p + j] << (2 * (i & 3));
  writeFileSync(file(`${name}.bed`), bytes.subarray(0, bytes.length - cut));
  writeFileSync(file(`${name}.bim`), names.map((id, j) => `1 ${id} 0 ${1000 * j} A G\n`).join(""));
  writeFileSync(
    file(`${name}.fam`),
    Array.from({ length: n }, (_, i) => `f${i} i${i} 0 0 1 ${y[i]}\n`).join(""),
  );
}

export function writeZarr(name: string, version: 2 | 3, data: Float64Array = X.data): void {
  const store = zarrStore(
    { version, shape: [n, p], chunks: [25, 9], type: "float32", gzip: true },
    ([i, j]) => data[i * p + j],
  );
  for (const [key, bytes] of store) {
    const path = join(file(name), key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

beforeAll(() => {
  writeBed("x");
  writeZarr("two.zarr", 2);
  writeZarr("three.zarr", 3);
  writeFileSync(file("X.npy"), writeNpy({ shape: [n, p], data: X.data }));
  writeFileSync(file("H.npy"), writeNpy({ shape: [n, l], data: H.data }));
  writeFileSync(file("y.npy"), writeNpy({ shape: [n], data: y }));
  writeFileSync(file("names.txt"), `${names.join("\n")}\n`);
  writeFileSync(file("groups.json"), JSON.stringify({ g: ["rs1", "rs2", "rs7"] }));
  const columns = names.map((id, j) => ({
    name: id,
    kind: "number" as const,
    values: Array.from({ length: n }, (_, i) => X.data[i * p + j]),
  }));
  writeFileSync(
    file("x.parquet"),
    writeParquet([...columns, { name: "y", kind: "number", values: [...y] }]),
  );
});

export const common = () => ["--activations", file("H.npy"), "--groups", file("groups.json")];
export const inputs: [string, () => string[]][] = [
  ["a .bed file", () => [file("x.bed"), "--task", "regression"]],
  ["a .npy file", () => [file("X.npy"), "--target", file("y.npy"), "--names", file("names.txt")]],
  [
    "Zarr, version 2",
    () => [file("two.zarr"), "--target", file("y.npy"), "--names", file("names.txt")],
  ],
  [
    "Zarr, version 3",
    () => [file("three.zarr"), "--target", file("y.npy"), "--names", file("names.txt")],
  ],
  ["Parquet", () => [file("x.parquet"), "--target", "y"]],
];
