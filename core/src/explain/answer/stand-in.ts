import { dot } from "../../linalg/dot.ts";
import { meanOf } from "../../linalg/moments.ts";
import type { Rows } from "../../network/index.ts";

/** Below this correlation, a quarter of the variance in common, one variable does not stand in for another. */
const LEAST_CORRELATION = 0.5;
/** Nor below this many standard errors 1/√n: of many unrelated columns some correlate by chance. */
const STANDARD_ERRORS = 5;
/** How much smaller the direct share must be than RATE, and how much to come near. */
const FALL = 4;
const NEAR = 2;
/** Candidates and causes looked at, strongest first: the work is their product times n. */
const MOST = 100;

/** Whom a variable goes along with more than the model uses it. */
export interface StandIn {
  /** Index of the variable that the model uses. */
  readonly of: number;
  /** |corr(x_j, x_k)|, of a category that of its best column. */
  readonly correlation: number;
  /** By the rule; otherwise it only comes near. */
  readonly stands: boolean;
}

/**
 * Variables that go along with the prediction only because they go along with another one: their
 * RATE is above average (1/p), their direct share below average and at most a quarter of
 * RATE. Named is the variable k of above-average direct share through which most of the
 * association runs, |corr(x_j, x_k)·corr(x_k, f)|, if |corr(x_j, x_k)| ≥ 0.5 and ≥ 5/√n. Near it comes a variable,
 * correlated as much with one that the model uses more, whose RATE is above half the average and more than twice
 * its direct share.
 *
 * @param owner for each column of X its variable; a category's correlation is its best column's
 * @param f the predictions the shares are about
 * @returns for each variable the one it stands in for, or null
 */
export function standIns(
  rates: Float64Array,
  direct: Float64Array,
  X: Rows,
  owner: Uint32Array,
  f: Float64Array,
): (StandIn | null)[] {
  const p = rates.length;
  const result = new Array<StandIn | null>(p).fill(null);
  const strongest = (score: Float64Array, holds: (j: number) => boolean) =>
    [...score.keys()]
      .filter(holds)
      .sort((a, b) => score[b] - score[a])
      .slice(0, MOST);
  const stands = (j: number) =>
    rates[j] > 1 / p && direct[j] < 1 / p && direct[j] * FALL < rates[j];
  const candidates = strongest(
    rates,
    (j) => stands(j) || (rates[j] > 0.5 / p && direct[j] * NEAR < rates[j]),
  );
  const causes = strongest(direct, (k) => direct[k] > 1 / p);
  if (candidates.length === 0 || causes.length === 0) return result;

  const columnsOf = (variable: number) => [...owner.keys()].filter((c) => owner[c] === variable);
  const standardised = new Map<number, Float64Array[]>();
  for (const variable of new Set([...candidates, ...causes]))
    standardised.set(
      variable,
      columnsOf(variable).map((column) => unitVector(columnOf(X, column))),
    );
  const target = unitVector(f);
  const withPrediction = new Map(
    causes.map((k) => [k, strongestProduct(standardised.get(k)!, [target])]),
  );
  const least = Math.max(LEAST_CORRELATION, STANDARD_ERRORS / Math.sqrt(X.rows));
  for (const j of candidates) {
    let most = 0;
    for (const k of causes) {
      if (!(direct[k] > direct[j])) continue;
      const correlation = strongestProduct(standardised.get(j)!, standardised.get(k)!);
      const through = correlation * withPrediction.get(k)!;
      if (correlation >= least && through > most) {
        most = through;
        result[j] = { of: k, correlation, stands: stands(j) };
      }
    }
  }
  return result;
}

function columnOf(X: Rows, column: number): Float64Array {
  const values = new Float64Array(X.rows);
  for (let i = 0; i < X.rows; i++) values[i] = X.data[i * X.cols + column];
  return values;
}

/** Centred and of length one, so that products are correlations; zeros for a constant. */
function unitVector(values: Float64Array): Float64Array {
  const mean = meanOf(values);
  const centred = values.map((value) => value - mean);
  const length = Math.sqrt(dot(centred, centred));
  return length > 0 ? centred.map((value) => value / length) : centred;
}

function strongestProduct(a: readonly Float64Array[], b: readonly Float64Array[]): number {
  let most = 0;
  for (const x of a)
    for (const y of b) {
      most = Math.max(most, Math.abs(dot(x, y)));
    }
  return most;
}
