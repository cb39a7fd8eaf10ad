import { RatewiseError, shapeError } from "../errors.ts";
import { firstNonFinite } from "../linalg/checks.ts";
import { tryCholesky } from "../linalg/cholesky.ts";
import { eigh } from "../linalg/eigh.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";

/** Files carry covariances with as few as nine digits: mirror images may differ by that much of √(Ω_ii Ω_jj). */
const SYMMETRY = 1e-8;

/**
 * A with Ω = A Aᵀ. Ω is scaled to a correlation matrix first, so that what counts as zero does not
 * depend on anybody's units; then Cholesky (A is p×p) when every pivot stands clear of rounding, otherwise
 * the eigenvectors whose eigenvalue does (A is p×r). Checks that Ω is finite, symmetric and positive
 * semi-definite, and says where it is not. O(p³).
 */
export function factorCovariance(where: string, what: string, covariance: Matrix): Matrix {
  const p = covariance.rows;
  const sd = checkCovariance(where, what, covariance);
  const correlation = matrix(p, p);
  for (let i = 0; i < p; i++) {
    for (let j = 0; j <= i; j++) {
      const sum = covariance.data[i * p + j] + covariance.data[j * p + i];
      const scale = 2 * sd[i] * sd[j];
      const r = scale > 0 ? sum / scale : 0;
      correlation.data[i * p + j] = r;
      correlation.data[j * p + i] = r;
    }
  }
  const factor = choleskyFactor(correlation) ?? eigenFactor(where, what, correlation);
  const r = factor.cols;
  for (let i = 0; i < p; i++) for (let k = 0; k < r; k++) factor.data[i * r + k] *= sd[i];
  return factor;
}

/** Standard deviations, once the entries are known to be finite, symmetric and possible. */
function checkCovariance(where: string, what: string, { data, rows, cols }: Matrix): Float64Array {
  if (rows !== cols) throw shapeError(where, `a square ${what}`, `${rows}×${cols}`);
  const p = rows;
  const fail = (row: number, column: number, needs: string, got: string) =>
    new RatewiseError("domain", {
      in: where,
      what: `needs ${needs} ${what}, got ${got} in row ${row}, column ${column} (counted from 0)`,
      row,
      column,
    });
  const at = firstNonFinite(data);
  if (at >= 0) throw fail(Math.floor(at / p), at % p, "finite numbers in", `${data[at]}`);
  const sd = Float64Array.from({ length: p }, (_, i) => {
    const variance = data[i * p + i];
    if (variance < 0) throw fail(i, i, "variances ≥ 0 on the diagonal of", `${variance}`);
    return Math.sqrt(variance);
  });
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [data[i * p + j], data[j * p + i]];
      const largest = sd[i] * sd[j];
      if (Math.abs(a - b) > SYMMETRY * largest && a !== b)
        throw fail(i, j, "a symmetric", `${a} and ${b} on the other side`);
      if (Math.abs(a) > largest * (1 + SYMMETRY))
        throw new RatewiseError("not-positive-definite", {
          in: where,
          what: `needs a positive semi-definite ${what}, got ${a} in row ${i}, column ${j} (counted from 0), beyond √(${data[i * p + i]}·${data[j * p + j]})`,
          row: i,
          column: j,
        });
    }
  }
  return sd;
}

/** A pivot is the part of a variable's variance that those before it leave; below p·ε it is rounding. */
function choleskyFactor(correlation: Matrix): Matrix | null {
  const p = correlation.rows;
  const outcome = tryCholesky(correlation);
  if (outcome.result !== "ok") return null;
  const L = outcome.value;
  for (let i = 0; i < p; i++) if (L.data[i * p + i] ** 2 <= 10 * p * Number.EPSILON) return null;
  return L;
}

function eigenFactor(where: string, what: string, correlation: Matrix): Matrix {
  const p = correlation.rows;
  const { values, vectors } = eigh(correlation);
  const [lowest, largest] = [values[0], values[p - 1]];
  if (lowest < -SYMMETRY * largest) {
    let worst = 0;
    const weight = (i: number) => Math.abs(vectors.data[i * p]);
    for (let i = 1; i < p; i++) if (weight(i) > weight(worst)) worst = i;
    throw new RatewiseError("not-positive-definite", {
      in: where,
      what: `needs a positive semi-definite ${what}, got eigenvalue ${lowest} (as a correlation), mostly in row ${worst} (counted from 0)`,
      advice: "check how it was estimated",
      row: worst,
      eigenvalue: lowest,
    });
  }
  // An eigenvalue that should be zero came out this far below it, so others may lie as far above.
  const noise = Math.max(10 * p * Number.EPSILON * largest, -lowest);
  const kept = Array.from(values.keys()).filter((k) => values[k] > noise);
  const factor = matrix(p, kept.length);
  kept.forEach((k, column) => {
    for (let i = 0; i < p; i++)
      factor.data[i * kept.length + column] = vectors.data[i * p + k] * Math.sqrt(values[k]);
  });
  return factor;
}
