import { RatewiseError, shapeError } from "../errors.ts";
import { gram, type Matrix, matrix } from "../linalg/index.ts";

/** Throws unless there is a number ≥ 0 for each row, and some are above 0. */
export function checkRowWeights(where: string, weights: Float64Array, rows: number): void {
  if (weights.length !== rows) throw shapeError(where, `${rows} weights`, `${weights.length}`);
  const bad = weights.findIndex((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY));
  if (bad >= 0 || weights.every((weight) => weight === 0))
    throw new RatewiseError("domain", {
      in: where,
      what:
        bad < 0
          ? "needs weights of which some are above 0, got zeros"
          : `needs weights that are finite and not below 0, got ${weights[bad]} in row ${bad} (counted from 0)`,
    });
}

/** Each row times the root of what it counts: sums of squares then count rows. */
export function countedRows({ data, rows, cols }: Matrix, counts: Float64Array): Matrix {
  const roots = counts.map(Math.sqrt);
  return matrix(
    rows,
    cols,
    data.map((value, e) => value * roots[Math.floor(e / cols)]),
  );
}

/** Hᵀdiag(c)H, c what each row counts; default HᵀH. */
export function countedGram(H: Matrix, counts: Float64Array | undefined): Matrix {
  return gram(counts ? countedRows(H, counts) : H);
}
