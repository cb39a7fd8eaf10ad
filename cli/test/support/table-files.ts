import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { writeNpz, writeParquet } from "@ratewise/files";

export const n = 200;
export const names = ["a", "b", "c", "d"];

/** Four columns and y = 2a − b + noise, in single precision so that every format holds them exactly. */
export function columns(): { readonly X: Float32Array[]; readonly y: Float32Array } {
  const next = normals(fold(keyFromSeed(1), "formats"));
  const X = names.map(() => Float32Array.from({ length: n }, next));
  const y = Float32Array.from({ length: n }, (_, i) => 2 * X[0][i] - X[1][i] + 0.1 * next());
  return { X, y };
}

const idx = (shape: readonly number[], data: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(4 + 4 * shape.length + 4 * data.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0, 0, 13, shape.length]);
  shape.forEach((size, d) => {
    view.setUint32(4 + 4 * d, size);
  });
  data.forEach((value, i) => {
    view.setFloat32(4 + 4 * shape.length + 4 * i, value);
  });
  return bytes;
};

/** The same table in every format; each entry is the arguments that read it. */
export function writeTableFiles(folder: string): Readonly<Record<string, readonly string[]>> {
  const { X, y } = columns();
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const lines = (delimiter: string, text = (value: number) => `${value}`): string =>
    [
      [...names, "y"].join(delimiter),
      ...Array.from({ length: n }, (_, i) => [...X, y].map((c) => text(c[i])).join(delimiter)),
    ].join("\n");
  const flat = Float32Array.from({ length: 4 * n }, (_, at) => X[at % 4][Math.floor(at / 4)]);
  const list = file("names.txt", `${names.join("\n")}\n`);
  const response = file("y.npy", writeNpy({ shape: [n], data: y }));
  const comma = (value: number): string => `${value}`.replace(".", ",");
  const sparse = Array.from(
    { length: n },
    (_, i) => `${y[i]} ${X.map((c, j) => `${j + 1}:${c[i]}`).join(" ")}`,
  );
  const csv = file("t.csv", `${lines(",")}\n`);
  return {
    csv: [csv, "--target", "y"],
    tsv: [file("t.tsv", lines("\t")), "--target", "y"],
    "csv with decimal commas": [
      file("e.csv", lines(";", comma)),
      "--target",
      "y",
      "--decimal-comma",
    ],
    parquet: [
      file(
        "t.parquet",
        writeParquet(
          [...X, y].map((c, j) => ({ name: [...names, "y"][j], kind: "number", values: [...c] })),
        ),
      ),
      ...["--target", "y"],
    ],
    npy: [
      file("X.npy", writeNpy({ shape: [n, 4], data: flat })),
      "--target",
      response,
      "--names",
      list,
    ],
    npz: [
      file(
        "t.npz",
        writeNpz([
          ["X", { shape: [n, 4], data: flat }],
          ["y", { shape: [n], data: y }],
          ["names", { shape: [4], data: names }],
        ]),
      ),
      ...["--target", "y"],
    ],
    "npz of columns": [
      file(
        "c.npz",
        writeNpz([...X, y].map((c, j) => [[...names, "y"][j], { shape: [n], data: c }] as const)),
      ),
      ...["--target", "y"],
    ],
    libsvm: [file("t.libsvm", sparse.join("\n")), "--names", list],
    idx: [
      file("images-idx3-ubyte", idx([n, 2, 2], flat)),
      ...["--target", file("labels-idx1-ubyte", idx([n], y)), "--names", list],
    ],
  };
}

/** x.bed, x.bim and x.fam for genotypes (0, 1, 2 or NaN), one array a variant. */
export function writePlink(
  folder: string,
  name: string,
  genotypes: readonly (readonly number[])[],
  phenotype: (sample: number) => string = () => "-9",
): string {
  const samples = genotypes[0].length;
  const bytes = [0x6c, 0x1b, 1];
  for (const copies of genotypes)
    for (let at = 0; at < samples; at += 4)
      bytes.push(
        copies
          .slice(at, at + 4)
          .reduce(
            (byte, copy, k) => byte | ((Number.isNaN(copy) ? 1 : [3, 2, 0][copy]) << (2 * k)),
            0,
          ),
      );
  writeFileSync(join(folder, `${name}.bed`), Uint8Array.from(bytes));
  const bim = genotypes.map((_, j) => `${1 + (j % 2)}\trs${j}\t0\t${1000 * (j + 1)}\tA\tG`);
  writeFileSync(join(folder, `${name}.bim`), `${bim.join("\n")}\n`);
  const fam = Array.from({ length: samples }, (_, i) => `f${i % 3} s${i} 0 0 1 ${phenotype(i)}`);
  writeFileSync(join(folder, `${name}.fam`), `${fam.join("\n")}\n`);
  return join(folder, `${name}.bed`);
}
