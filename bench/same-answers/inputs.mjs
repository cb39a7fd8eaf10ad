import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawn } from "./drawn-numbers.mjs";
import { gzip, idx, npy, npz, writePlink, writeZarr } from "./file-formats.mjs";
import { onnxFile } from "./onnx-file.mjs";

/** Writes every file that the commands read, and nothing that the library under test has made. */
export function writeInputs(folder) {
  mkdirSync(folder, { recursive: true });
  const write = (name, content) => writeFileSync(join(folder, name), content);
  writeFlats(write);
  writeWide(write);
  writeArrays(write, folder);
  writeNetworks(write);
  writeGenotypes(write, folder);
  writePosterior(write);
}

const lines = (rows, separator = ",") => `${rows.map((row) => row.join(separator)).join("\n")}\n`;

/** The price of flats: area counts, rooms follow it, age counts where the flat is large. */
function writeFlats(write) {
  const { uniform, normal, below } = drawn(1);
  const header = ["id", "area", "rooms", "quarter", "age", "tram", "family", "price"];
  const rows = Array.from({ length: 240 }, (_, i) => {
    const area = 80 + 25 * normal();
    const quarter = below(3);
    const age = 100 * uniform();
    const price = 3 * area + [40, 20, 0][quarter] - (area > 80 ? age : 0) + 15 * normal();
    return [
      `flat-${i}`,
      area.toFixed(2),
      (area / 22 + 0.6 * normal()).toFixed(2),
      ["harbour", "hill", "mill"][quarter],
      age.toFixed(1),
      (20 * uniform()).toFixed(2),
      i % 24,
      price.toFixed(2),
    ];
  });
  const price = (row) => Number(row[7]);
  const classed = (name, classOf) =>
    lines([
      [...header.slice(0, 7), name],
      ...rows.map((row) => [...row.slice(0, 7), classOf(row)]),
    ]);
  write("flats.csv", lines([header, ...rows]));
  write("flats.csv.gz", gzip(lines([header, ...rows])));
  write(
    "sold.csv",
    classed("sold", (row) => (price(row) > 230 ? "yes" : "no")),
  );
  const kind = (row) => (price(row) > 270 ? "dear" : price(row) > 200 ? "middling" : "cheap");
  write("kinds.csv", classed("kind", kind));
  const comma = (cell) => `${cell}`.replace(".", ",");
  write("comma.csv", lines([header, ...rows.map((row) => row.map(comma))], ";"));
  const holed = rows.map((row, i) =>
    row.map((cell, j) => ((7 * i + 3 * j) % 31 || j > 5 ? cell : "")),
  );
  write("holes.csv", lines([header, ...holed]));
  write("new.csv", lines([header.slice(0, 7), ...rows.slice(0, 20).map((row) => row.slice(0, 7))]));
  write("groups.csv", "variable,group\narea,size\nrooms,size\nquarter,place\ntram,place\n");
  write("groups.json", JSON.stringify({ size: ["area", "rooms"], all: ["area", "age", "tram"] }));
  write("groups.gmt", "size\tabout\tarea\trooms\tgarden\nplace\tabout\tquarter\ttram\n");
}

/** Sixteen columns, neighbours alike, the first five with an effect; for selection. */
function writeWide(write) {
  const { normal } = drawn(2);
  const names = Array.from({ length: 16 }, (_, j) => `v${j + 1}`);
  const rows = Array.from({ length: 150 }, (_, i) => {
    const values = [];
    for (let j = 0; j < 16; j++) values.push(0.4 * (values[j - 1] ?? 0) + normal());
    const effect = values.slice(0, 5).reduce((sum, value) => sum + value, 0);
    return [...values.map((value) => value.toFixed(4)), i % 15, (effect + normal()).toFixed(4)];
  });
  write("wide.csv", lines([[...names, "litter", "y"], ...rows]));
  write(
    "wide-groups.csv",
    lines([["variable", "group"], ...names.map((v, j) => [v, `g${j >> 1}`])]),
  );
}

/** The same numbers as .npy, .npz, LIBSVM, and images as IDX and Zarr. */
function writeArrays(write, folder) {
  const { normal, below } = drawn(3);
  const [n, p] = [120, 4];
  const X = Float64Array.from({ length: n * p }, () => Math.fround(normal()));
  const y = Float64Array.from(
    { length: n },
    (_, i) => 2 * X[i * p] - X[i * p + 1] + 0.3 * normal(),
  );
  const H = Float64Array.from({ length: n * 3 }, (_, e) => X[Math.floor(e / 3) * p + (e % 3)] ** 2);
  write("X.npy", npy([n, p], X));
  write("y.npy", npy([n], y));
  write("H.npy", npy([n, 3], H));
  write(
    "t.npz",
    npz([
      ["X", npy([n, p], X)],
      ["y", npy([n], y)],
    ]),
  );
  write("names.txt", "alpha\nbeta\ngamma\ndelta\n");
  const sparse = Array.from(y, (value, i) => [
    value,
    ...Array.from(X.subarray(i * p, i * p + p), (x, j) => `${j + 1}:${x}`),
  ]);
  write("t.libsvm", lines(sparse, " "));
  const labels = Array.from(y, (value) => (value > 0.8 ? "c" : value > -0.8 ? "b" : "a"));
  const rows = labels.map((label, i) => [...X.subarray(i * p, i * p + p), label]);
  write("letters.csv", lines([["alpha", "beta", "gamma", "delta", "letter"], ...rows]));
  const pixels = Array.from({ length: n * 16 }, () => below(256));
  const bright = Array.from({ length: n }, (_, i) => (pixels[i * 16 + 5] > 127 ? 1 : 0));
  write("images-idx3-ubyte", idx([n, 4, 4], pixels));
  write("labels-idx1-ubyte", idx([n], bright));
  writeZarr(
    join(folder, "images.zarr"),
    [n, 4, 4],
    50,
    Float64Array.from(pixels, (v) => v / 255),
  );
  write(
    "bright.npy",
    npy(
      [n],
      bright.map((b, i) => b + pixels[i * 16 + 9] / 512),
    ),
  );
}

function writeNetworks(write) {
  const { normal } = drawn(4);
  const matrix = (...dims) => ({
    dims,
    data: Array.from({ length: dims.reduce((a, b) => a * b) }, () => Math.fround(0.6 * normal())),
  });
  const trunk = [
    ["Gemm", ["x", "w1", "b1"], "z1"],
    ["Relu", ["z1"], "a1"],
    ["Gemm", ["a1", "w2", "b2"], "z2"],
    ["Tanh", ["z2"], "h"],
  ];
  const weights = { w1: matrix(4, 6), b1: matrix(6), w2: matrix(6, 3), b2: matrix(3) };
  const one = { ...weights, w3: matrix(3, 1), b3: matrix(1) };
  const three = { ...weights, w3: matrix(3, 3), b3: matrix(3) };
  const nodes = [...trunk, ["Gemm", ["h", "w3", "b3"], "y"]];
  write("net.onnx", onnxFile({ inputs: [4], outputs: [1], weights: one, nodes }));
  const classed = [...trunk, ["Gemm", ["h", "w3", "b3"], "f"], ["Softmax", ["f"], "y"]];
  write("net3.onnx", onnxFile({ inputs: [4], outputs: [3], weights: three, nodes: classed }));
  const flat = [
    ["Flatten", ["x"], "flat"],
    ["Gemm", ["flat", "w1", "b1"], "z1"],
    ...nodes.slice(1),
  ];
  const pixels = { ...one, w1: matrix(16, 6) };
  write("images.onnx", onnxFile({ inputs: [4, 4], outputs: [1], weights: pixels, nodes: flat }));
}

/** 120 samples of 40 variants, neighbours in linkage, a hundredth missing; two of them count. */
function writeGenotypes(write, folder) {
  const { uniform, normal, below } = drawn(5);
  const [n, p] = [120, 40];
  const genotypes = [];
  for (let j = 0; j < p; j++)
    genotypes.push(
      Array.from({ length: n }, (_, i) => {
        if (j > 0 && uniform() < 0.5) return genotypes[j - 1][i];
        return below(2) + (uniform() < 0.3 ? 1 : 0);
      }),
    );
  const sex = Array.from({ length: n }, (_, i) => i % 2);
  const bmi = sex.map((s, i) => genotypes[7][i] - genotypes[25][i] + 0.5 * s + 0.4 * normal());
  writePlink(
    join(folder, "whole"),
    genotypes,
    bmi.map((value) => value.toFixed(4)),
  );
  const holed = genotypes.map((copies) => copies.map((c) => (uniform() < 0.01 ? Number.NaN : c)));
  writePlink(
    join(folder, "x"),
    holed,
    bmi.map((value) => value.toFixed(4)),
  );
  const rows = bmi.map((value, i) => [
    `f${i % 10}`,
    `i${i}`,
    value.toFixed(4),
    sex[i],
    20 + below(9),
  ]);
  write("x.pheno.tsv", lines([["FID", "IID", "BMI", "sex", "age"], ...rows], "\t"));
  const genes = Array.from({ length: 4 }, (_, g) => [
    1 + (g >> 1),
    9000 * (g % 2),
    9000 * (g % 2) + 7000,
    `gene${g}`,
  ]);
  write("genes.bed", lines(genes, "\t"));
}

/** A Gaussian of eight effects with a factor of three columns, and draws, in every form. */
function writePosterior(write) {
  const { normals, uniform } = drawn(6);
  const [p, l, s] = [8, 3, 60];
  const mean = normals(p);
  const factor = normals(p * l);
  const noise = Float64Array.from({ length: p }, () => 0.1 + uniform());
  const covariance = new Float64Array(p * p);
  for (let i = 0; i < p; i++)
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? noise[i] : 0;
      for (let k = 0; k < l; k++) sum += factor[i * l + k] * factor[j * l + k];
      covariance[i * p + j] = sum;
      covariance[j * p + i] = sum;
    }
  const files = [
    ["mean", npy([p], mean)],
    ["factor", npy([p, l], factor)],
    ["noise", npy([p], noise)],
  ];
  for (const [name, bytes] of files) write(`${name}.npy`, bytes);
  write("posterior.npz", npz(files));
  write("covariance.npy", npy([p, p], covariance));
  write("draws.npy", npy([s, p], normals(s * p)));
  const rowsOf = (data, width) =>
    Array.from({ length: data.length / width }, (_, i) => [
      ...data.subarray(i * width, i * width + width),
    ]);
  const names = ["age", "dose", "weight", "site", "sex", "height", "pulse", "=x"];
  const posterior = { names, mean: [...mean], factor: rowsOf(factor, l), noise: [...noise] };
  write("posterior.json", JSON.stringify(posterior));
  write(
    "effect-groups.json",
    JSON.stringify({ body: ["weight", "height", 6], study: [1, "site"] }),
  );
}
