import type { Layout } from "./layout.ts";
import { rowLosses } from "./validation-score.ts";

/** Shares of two predictors of f: f = linear·(xᵀβ + b) + hidden·(what the hidden units say). */
export interface Mix {
  readonly linear: number;
  readonly hidden: number;
}

/** Values of f on some rows, rows×outputs, and what the rows turned out to be. */
export interface HeldBack {
  readonly layout: Pick<Layout, "link" | "outputs">;
  /** The response by row of the whole table. */
  readonly target: Float64Array;
  readonly rows: Uint32Array;
}

export function mixed({ linear, hidden }: Mix, a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, e) => linear * value + hidden * b[e]);
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** The share is known to this: more digits are beyond what rows can tell. */
const NEAR = 1e-3;

/**
 * The shares w and 1 − w, 0 ≤ w ≤ 1, of a linear part and of a network that were fitted apart, with which they predict
 * rows that neither has seen best. The mean loss is convex in w: golden section.
 */
export function bestBlend(
  { layout, target, rows }: HeldBack,
  linear: Float64Array,
  hidden: Float64Array,
): Mix {
  const lossAt = (w: number): number =>
    rowLosses(layout, mixed({ linear: w, hidden: 1 - w }, linear, hidden), target, rows).reduce(
      (sum, loss) => sum + loss,
      0,
    );
  let [low, high] = [0, 1];
  let [left, right] = [1 - GOLDEN, GOLDEN];
  let [lossLeft, lossRight] = [lossAt(left), lossAt(right)];
  while (high - low > NEAR) {
    if (lossLeft <= lossRight) {
      [high, right, lossRight] = [right, left, lossLeft];
      left = high - GOLDEN * (high - low);
      lossLeft = lossAt(left);
    } else {
      [low, left, lossLeft] = [left, right, lossRight];
      right = low + GOLDEN * (high - low);
      lossRight = lossAt(right);
    }
  }
  const w = (low + high) / 2;
  return { linear: w, hidden: 1 - w };
}
