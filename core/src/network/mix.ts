import { weightedMean } from "../linalg/moments.ts";
import type { Layout } from "./layout.ts";
import type { RowWeights } from "./row-weights.ts";
import { rowLosses } from "./validation-score.ts";

/** Shares of two predictors of f: f = linear·(xᵀβ + b) + hidden·(what the hidden units say). */
export interface Mix {
  readonly linear: number;
  readonly hidden: number;
}

/** Rows that neither predictor has seen, and what they turned out to be. */
export interface HeldBack {
  readonly layout: Pick<Layout, "link" | "outputs">;
  /** The response by row of the whole table. */
  readonly target: Float64Array;
  readonly rows: Uint32Array;
  /** What each of the rows counts, in their order. */
  readonly weights: RowWeights;
}

/** The best blend; f and the loss of every row under the blend that the other half of the rows finds best. */
export interface Blend extends Mix {
  readonly heldBack: Float64Array;
  readonly losses: Float64Array;
}

/** Half of each, which nothing has to be known for. The parameters as in {@link blend}. */
export function halves(held: HeldBack, linear: Float64Array, hidden: Float64Array): Blend {
  const heldBack = mixed(HALF, linear, hidden);
  return { ...HALF, heldBack, losses: lossesOf(held, heldBack) };
}

/** @param linear and `hidden` are f on the rows held back, rows×outputs */
export function blend(held: HeldBack, linear: Float64Array, hidden: Float64Array): Blend {
  const { outputs } = held.layout;
  const losses = new Float64Array(held.rows.length);
  const heldBack = new Float64Array(linear.length);
  for (const half of [0, 1]) {
    const own = held.rows.map((_, i) => i).filter((i) => i % 2 === half);
    const others = held.rows.map((_, i) => i).filter((i) => i % 2 !== half);
    const at = ({ rows, layout, weights, ...rest }: HeldBack, places: Uint32Array) => ({
      held: {
        ...rest,
        layout,
        rows: places.map((i) => rows[i]),
        weights: weights && Float64Array.from(places, (i) => weights[i]),
      },
      linear: pick(linear, places, layout.outputs),
      hidden: pick(hidden, places, layout.outputs),
    });
    const [known, asked] = [at(held, others), at(held, own)];
    const mix = others.length > 0 ? bestBlend(known.held, known.linear, known.hidden) : HALF;
    const f = mixed(mix, asked.linear, asked.hidden);
    lossesOf(asked.held, f).forEach((loss, k) => {
      losses[own[k]] = loss;
      heldBack.set(f.subarray(k * outputs, (k + 1) * outputs), own[k] * outputs);
    });
  }
  return { ...bestBlend(held, linear, hidden), heldBack, losses };
}

const HALF: Mix = { linear: 0.5, hidden: 0.5 };

const mixed = ({ linear, hidden }: Mix, a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, e) => linear * value + hidden * b[e]);

const pick = (f: Float64Array, places: Uint32Array, outputs: number): Float64Array =>
  Float64Array.from(
    { length: places.length * outputs },
    (_, e) => f[places[Math.floor(e / outputs)] * outputs + (e % outputs)],
  );

const lossesOf = ({ layout, target, rows }: HeldBack, f: Float64Array): Float64Array =>
  rowLosses(layout, f, target, rows);

const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** The share is known to this: more digits are beyond what rows can tell. */
const NEAR = 1e-3;

/**
 * The shares w and 1 − w, 0 ≤ w ≤ 1, of a linear part and of a network that were fitted apart, with which they predict
 * rows that neither has seen best. The mean loss is convex in w: golden section.
 */
function bestBlend(held: HeldBack, linear: Float64Array, hidden: Float64Array): Mix {
  const lossAt = (w: number): number =>
    weightedMean(lossesOf(held, mixed({ linear: w, hidden: 1 - w }, linear, hidden)), held.weights);
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
