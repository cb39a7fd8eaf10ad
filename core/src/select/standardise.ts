import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { meansOfColumns, squaresOfColumns } from "../linalg/moments.ts";

/** Columns as (x − mean)/scale. */
export interface Standardised {
  readonly Z: Matrix;
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

/** Columns with mean 0 and variance 1 (n − 1); a column that does not vary has no copy. */
export function standardise(where: string, X: Matrix): Standardised {
  const { data, rows: n, cols: p } = X;
  if (n < 3)
    throw new RatewiseError("shape", { in: where, what: `needs at least 3 rows, got ${n}` });
  const mean = meansOfColumns(X);
  const scale = squaresOfColumns(X, mean);
  for (let j = 0; j < p; j++) {
    scale[j] = Math.sqrt(scale[j] / (n - 1));
    if (!(scale[j] > 1e-12 * Math.abs(mean[j])))
      throw new RatewiseError("domain", {
        in: where,
        what: `needs finite columns that vary, got column ${j} with mean ${mean[j]} and standard deviation ${scale[j]}`,
        advice: "leave it out",
        column: j,
      });
  }
  const Z = matrix(n, p);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++) Z.data[i * p + j] = (data[i * p + j] - mean[j]) / scale[j];
  return { Z, mean, scale };
}
