import { cholesky, type Matrix, matrix } from "../linalg/index.ts";
import type { Partition } from "./partition.ts";

/** A block diagonal matrix: one |g|×|g| matrix a group, rows and columns in the group's order. */
export type Blocks = readonly Matrix[];

/** Rows and columns `members` of a square matrix. */
export function blockOf({ data, cols }: Matrix, members: readonly number[]): Matrix {
  const size = members.length;
  const out = matrix(size, size);
  for (let a = 0; a < size; a++)
    for (let b = 0; b < size; b++) out.data[a * size + b] = data[members[a] * cols + members[b]];
  return out;
}

/** The products of the standardised columns of each group: R_gg = Z_gᵀZ_g/(n − 1). */
export function correlationBlocks({ data, rows, cols }: Matrix, groups: Partition): Blocks {
  return groups.map((members) => {
    const size = members.length;
    const out = matrix(size, size);
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < a; b++) {
        let sum = 0;
        for (let i = 0; i < rows; i++)
          sum += data[i * cols + members[a]] * data[i * cols + members[b]];
        out.data[a * size + b] = sum / (rows - 1);
        out.data[b * size + a] = out.data[a * size + b];
      }
      out.data[a * size + a] = 1;
    }
    return out;
  });
}

export function blockFactors(blocks: Blocks): Blocks {
  return blocks.map((block) =>
    block.rows === 1 ? matrix(1, 1, block.data.map(Math.sqrt)) : cholesky(block),
  );
}

/** Every row z, group by group, ← L_g⁻¹z_g. */
export function whitenRowsInPlace(Z: Matrix, groups: Partition, factors: Blocks): Matrix {
  return eachRow(
    Z,
    groups,
    (row, at, members, L) => {
      for (let a = 0; a < members.length; a++) {
        let value = row[at + members[a]];
        for (let b = 0; b < a; b++) value -= L[a * members.length + b] * row[at + members[b]];
        row[at + members[a]] = value / L[a * members.length + a];
      }
    },
    factors,
  );
}

/** Every row z, group by group, ← L_g z_g. */
export function colourRowsInPlace(Z: Matrix, groups: Partition, factors: Blocks): Matrix {
  return eachRow(
    Z,
    groups,
    (row, at, members, L) => {
      for (let a = members.length - 1; a >= 0; a--) {
        let value = 0;
        for (let b = 0; b <= a; b++) value += L[a * members.length + b] * row[at + members[b]];
        row[at + members[a]] = value;
      }
    },
    factors,
  );
}

type RowStep = (
  data: Float64Array,
  at: number,
  members: readonly number[],
  factor: Float64Array,
) => void;

function eachRow(Z: Matrix, groups: Partition, step: RowStep, factors: Blocks): Matrix {
  for (let i = 0; i < Z.rows; i++)
    for (let g = 0; g < groups.length; g++) step(Z.data, i * Z.cols, groups[g], factors[g].data);
  return Z;
}
