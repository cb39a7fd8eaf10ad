import { exp, log } from "../../elementary/index.ts";
import { meanOf } from "../../linalg/moments.ts";

/** What one output does along a grid of values, row by row and on average. */
export interface RowCurves {
  /** Mean over the rows at each value. */
  readonly mean: readonly number[];
  /**
   * Where the middle 80% of the rows' own curves run, each moved to the height of the mean curve: a number by adding, a
   * probability in log-odds, so that it stays one. Of no width where the variable does the same in every row.
   */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** How far a row's own curve strays from its own mean: root of the mean square, in units of the output. */
  readonly movement: number;
  /**
   * The part of that which all rows have in common, in squares: the variance of the mean curve over the mean variance of
   * the rows' curves, both moved as above. 1 for an additive effect, about 0 for one whose sign another variable decides.
   */
  readonly common: number;
}

/** Probabilities nearer than this to 0 or 1 are taken for as far: their log-odds may be infinite. */
const NEAREST = 1e-9;

/**
 * The rows' curves (individual conditional expectation, Goldstein and others 2015) summed up. O(rows · values · log rows).
 *
 * @param answers one entry a value: the output of every row with the variable set to it
 */
export function rowCurves(
  answers: readonly Float64Array[],
  kind: "number" | "probability",
): RowCurves {
  const n = answers[0].length;
  const [to, from] = kind === "number" ? [asItIs, asItIs] : [logOdds, probability];
  const mean = answers.map(meanOf);
  const moved = aboutTheirMeans(answers.map((answer) => answer.map(to)));
  const centre = moved.map(meanOf);
  const quantile = (share: number) =>
    moved.map((deviations, at) => {
      const deviation = deviations.toSorted()[Math.round(share * (n - 1))] - centre[at];
      return from(to(mean[at]) + deviation);
    });
  const all = meanSquare(moved);
  return {
    mean,
    low: quantile(0.1),
    high: quantile(0.9),
    movement: Math.sqrt(meanSquare(aboutTheirMeans(answers))),
    common:
      all > 0 ? centre.reduce((sum, value) => sum + value * value, 0) / (centre.length * all) : 1,
  };
}

/** Each row's curve less its own mean over the values. */
function aboutTheirMeans(answers: readonly Float64Array[]): Float64Array[] {
  const own = answers[0].map((_, i) => {
    return answers.reduce((sum, answer) => sum + answer[i], 0) / answers.length;
  });
  return answers.map((answer) => answer.map((value, i) => value - own[i]));
}

function meanSquare(answers: readonly Float64Array[]): number {
  const squares = answers.map((answer) => meanOf(answer.map((value) => value * value)));
  return meanOf(squares);
}

function asItIs(value: number): number {
  return value;
}

function logOdds(p: number): number {
  const inside = Math.min(1 - NEAREST, Math.max(NEAREST, p));
  return log(inside / (1 - inside));
}

/** Not `sigmoid`, whose last bits differ below 0: curves of 0.1.0 keep theirs. */
function probability(odds: number): number {
  return 1 / (1 + exp(-odds));
}
