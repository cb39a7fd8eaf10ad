import type { GaussianWeights } from "../../src/effects/index.ts";
import { type Matrix, matrix } from "../../src/linalg/matrix.ts";
import type { SparseMatrix } from "../../src/linalg/sparse-matrix.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../src/random/index.ts";

/** n×p standard normal numbers; the label keeps tables apart. */
export function normalTable(seed: number, label: string, n: number, p: number): Matrix {
  const next = normals(fold(keyFromSeed(seed), label));
  return matrix(n, p, Float64Array.from({ length: n * p }, next));
}

/** The same with a share of the entries exactly zero. */
export function sparseTable(seed: number, n: number, p: number, density: number): Matrix {
  const table = normalTable(seed, "sparse", n, p);
  const next = uniforms(fold(keyFromSeed(seed), "holes"));
  return matrix(
    n,
    p,
    table.data.map((value) => (next() < density ? value + 2 : 0)),
  );
}

/** A dense table as CSR, zeros left out. */
export function toSparse({ data, rows, cols }: Matrix): SparseMatrix {
  const values: number[] = [];
  const columns: number[] = [];
  const starts = [0];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      if (data[i * cols + j] === 0) continue;
      values.push(data[i * cols + j]);
      columns.push(j);
    }
    starts.push(values.length);
  }
  return {
    values: Float64Array.from(values),
    columns: Int32Array.from(columns),
    starts: Int32Array.from(starts),
    rows,
    cols,
  };
}

/** Weights with a full covariance G Gᵀ. */
export function fullWeights(seed: number, l: number): GaussianWeights {
  const G = normalTable(seed, "weights", l, l).data;
  const V = matrix(l, l);
  for (let i = 0; i < l; i++)
    for (let j = 0; j < l; j++)
      for (let k = 0; k < l; k++) V.data[i * l + j] += G[i * l + k] * G[j * l + k];
  return { mean: normalTable(seed, "mean", 1, l).data, covariance: V };
}

/** Weights with a diagonal covariance. */
export function diagonalWeights(seed: number, l: number): GaussianWeights {
  return {
    mean: normalTable(seed, "mean", 1, l).data,
    covariance: normalTable(seed, "variance", 1, l).data.map((value) => value * value),
  };
}

/** A Aᵀ. */
export function outer({ data, rows, cols }: Matrix): Float64Array {
  const out = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < rows; j++)
      for (let k = 0; k < cols; k++) out[i * rows + j] += data[i * cols + k] * data[j * cols + k];
  return out;
}
