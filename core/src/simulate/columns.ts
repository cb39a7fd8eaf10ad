import { RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/matrix.ts";
import { fold, type Key, normalInto, normals } from "../random/index.ts";

/** How standard normal columns depend on each other. */
export type ColumnCorrelation =
  | { readonly kind: "independent" }
  /** cor(x_j, x_k) = ρ^|j−k|. */
  | { readonly kind: "autoregressive"; readonly rho: number }
  /** cor(x_j, x_k) = ρ ≥ 0 within consecutive blocks of `size` columns, 0 between them. */
  | { readonly kind: "blocks"; readonly rho: number; readonly size: number };

const fields = {
  independent: { kind: true },
  autoregressive: { kind: true, rho: true },
  blocks: { kind: true, rho: true, size: true },
} as const satisfies Record<ColumnCorrelation["kind"], Readonly<Record<string, true>>>;

export const correlationKinds = Object.keys(fields) as readonly ColumnCorrelation["kind"][];

function checkCorrelation(correlation: ColumnCorrelation): void {
  const where = "simulate, correlation";
  refuseUnknown(where, correlation, { kind: true, rho: true, size: true });
  refuseUnlisted("simulate", "correlation", correlationKinds, correlation.kind ?? null);
  refuseUnknown(where, correlation, fields[correlation.kind]);
}

/** n rows of p jointly normal columns with mean 0, variance 1 and the given correlation. */
export function correlatedNormals(
  rows: number,
  cols: number,
  correlation: ColumnCorrelation,
  key: Key,
): Matrix {
  checkCorrelation(correlation);
  const X = matrix(rows, cols);
  normalInto(X.data, fold(key, "columns"));
  switch (correlation.kind) {
    case "independent":
      return X;
    case "autoregressive":
      correlateNeighbours(X, correlation.rho);
      return X;
    case "blocks":
      correlateBlocks(X, correlation, fold(key, "blocks"));
      return X;
  }
  return correlation satisfies never;
}

/** x_j ← ρ x_{j−1} + √(1−ρ²) x_j, from left to right. */
function correlateNeighbours(X: Matrix, rho: number): void {
  if (!(Math.abs(rho) < 1))
    throw new RatewiseError("domain", {
      in: "simulate",
      what: `needs ρ inside (−1, 1), got ${rho}`,
    });
  const fresh = Math.sqrt(1 - rho * rho);
  for (let i = 0; i < X.rows; i++)
    for (let j = 1, at = i * X.cols + 1; j < X.cols; j++, at++)
      X.data[at] = rho * X.data[at - 1] + fresh * X.data[at];
}

/** x_j ← √ρ g + √(1−ρ) x_j with one g for each row and block. */
function correlateBlocks(
  X: Matrix,
  { rho, size }: { readonly rho: number; readonly size: number },
  key: Key,
): void {
  if (!(rho >= 0 && rho <= 1 && Number.isInteger(size) && size > 0))
    throw new RatewiseError("domain", {
      in: "simulate",
      what: `needs ρ from 0 to 1 and a whole block size, got ρ = ${rho}, size = ${size}`,
    });
  const next = normals(key);
  const shared = Math.sqrt(rho);
  const own = Math.sqrt(1 - rho);
  for (let i = 0; i < X.rows; i++) {
    let g = 0;
    for (let j = 0; j < X.cols; j++) {
      if (j % size === 0) g = next();
      const at = i * X.cols + j;
      X.data[at] = shared * g + own * X.data[at];
    }
  }
}
