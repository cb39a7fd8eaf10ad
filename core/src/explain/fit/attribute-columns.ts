import { expandedWidth, placeAmong } from "../../data/expansion.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import { saliency } from "../../network/index.ts";
import type { SaliencyOptions } from "../../network/saliency-plan.ts";
import type { SaliencyModel } from "./saliency-model.ts";

/**
 * {@link saliency} of each column of a table, rows×columns. Where columns are expanded, what belongs to one is brought together: a
 * gradient by the chain rule, ∂f/∂x + Σ_k ∂f/∂φ_k·φ_k′(x), with the slope to the right of a knot; contributions by adding them up.
 */
export async function attributeColumns(
  { networks, encoding }: Pick<SaliencyModel, "networks" | "encoding">,
  X: Matrix,
  options: SaliencyOptions,
): Promise<Matrix> {
  const hats = hatsOf(encoding);
  if (hats.length === 0) return saliency(networks, X, options);
  const wider = withHats(X, hats);
  const { method, baseline = "zero" } = options;
  if (method === "gradient" || method === "gradient-x-input") {
    const S = await saliency(networks, wider, { ...options, method: "gradient" });
    const gradient = throughHats(S, X, hats);
    if (method === "gradient") return gradient;
    return matrix(
      X.rows,
      X.cols,
      gradient.data.map((value, e) => value * X.data[e]),
    );
  }
  const start = baseline === "zero" ? withHats(matrix(1, X.cols), hats).data : baseline;
  return addedUp(await saliency(networks, wider, { ...options, baseline: start }), X, hats);
}

/** The hats of a column in the table's units. */
interface Hats {
  readonly column: number;
  readonly first: number;
  readonly knots: readonly number[];
  readonly scale: number;
  /** A value as the network takes it, to the same bits as when it was trained. */
  readonly standardised: (value: number) => number;
}

function hatsOf(encoding: SaliencyModel["encoding"]): Hats[] {
  return (encoding?.expansions ?? []).map(({ column, first, knots }) => {
    const own = encoding!.variables.find((variable) => variable.first === column);
    const { mean, scale } = own as { readonly mean: number; readonly scale: number };
    const standardised = (value: number) => Math.fround((value - mean) / scale);
    return { column, first, knots, scale, standardised };
  });
}

function withHats(X: Matrix, hats: readonly Hats[]): Matrix {
  const wider = matrix(X.rows, X.cols + expandedWidth(hats));
  for (let i = 0; i < X.rows; i++) {
    const row = wider.data.subarray(i * wider.cols, (i + 1) * wider.cols);
    row.set(X.data.subarray(i * X.cols, (i + 1) * X.cols));
    for (const { column, first, knots, standardised } of hats) {
      const place = placeAmong(knots, standardised(row[column]));
      for (let k = 0; k < knots.length; k++) row[first + k] = Math.max(0, 1 - Math.abs(place - k));
    }
  }
  return wider;
}

function throughHats(S: Matrix, X: Matrix, hats: readonly Hats[]): Matrix {
  const out = firstColumns(S, X.cols);
  for (let i = 0; i < X.rows; i++)
    for (const { column, first, knots, scale, standardised } of hats) {
      const value = standardised(X.data[i * X.cols + column]);
      // Before the first knot and after the last one hats are level.
      if (value < knots[0] || value >= knots[knots.length - 1]) continue;
      const below = Math.floor(placeAmong(knots, value));
      const at = i * S.cols + first + below;
      const apart = (knots[below + 1] - knots[below]) * scale;
      out.data[i * X.cols + column] += (S.data[at + 1] - S.data[at]) / apart;
    }
  return out;
}

function addedUp(S: Matrix, { cols }: Matrix, hats: readonly Hats[]): Matrix {
  const out = firstColumns(S, cols);
  for (let i = 0; i < S.rows; i++)
    for (const { column, first, knots } of hats)
      for (let k = 0; k < knots.length; k++)
        out.data[i * cols + column] += S.data[i * S.cols + first + k];
  return out;
}

function firstColumns(S: Matrix, cols: number): Matrix {
  const out = matrix(S.rows, cols);
  for (let i = 0; i < S.rows; i++)
    out.data.set(S.data.subarray(i * S.cols, i * S.cols + cols), i * cols);
  return out;
}
