import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix, multiplyTranspose } from "../linalg/index.ts";
import { fold } from "../random/index.ts";
import { drive, type Progress } from "../run.ts";
import { addNull, countExceedances, type ExceedanceCount } from "./exceedance.ts";
import {
  checkPermutation,
  decide,
  type PermutationOptions,
  type PermutationSelection,
} from "./permutation-null.ts";
import { permuteWithin, strataRows } from "./permute-rows.ts";

/**
 * Scores that are squared lengths of linear functions of y: unit u has ‖(weights·project·y)_u‖², over its rows of `weights`. Such are the mean term
 * of RATE and the gradient scores when only an output layer with fixed variances is refitted: its mean m = project·y is linear in y.
 */
export interface QuadraticScore {
  /** l×n. */
  readonly project: Matrix;
  /** R×l. */
  readonly weights: Matrix;
  /** The unit of each row of `weights`. */
  readonly unit: Uint32Array;
  /** The number of units. */
  readonly units: number;
  /** Units whose scores add up to the whole that all scores are divided by: shares do not grow with the fit as such. Default: no division. */
  readonly whole?: readonly number[];
}

const PERMUTATIONS = 50_000;
/** Permuted responses held at a time, in numbers (64 MB). */
const BLOCK_NUMBERS = 2 ** 23;

/**
 * The permutation test of quadratic scores, of one y or of several columns of responses (classes) permuted together, whose scores add: all
 * permutations are one matrix product, O(B·l·(n + R)). Same null and same caution as selectByPermutation.
 */
export function selectByQuadraticNull(
  score: QuadraticScore,
  responses: readonly Float64Array[],
  options: PermutationOptions,
): Promise<PermutationSelection> {
  return drive(steps(score, responses, options), options);
}

function* steps(
  score: QuadraticScore,
  responses: readonly Float64Array[],
  options: PermutationOptions,
): Generator<Progress, PermutationSelection> {
  const where = "selectByQuadraticNull";
  const { key, permutations = PERMUTATIONS, fdr = 0.1 } = options;
  const n = score.project.cols;
  if (responses.length === 0) throw shapeError(where, "at least one column of responses", "none");
  for (const y of responses) checkPermutation(where, n, y, fdr, permutations);
  checkScore(where, score);
  const strata = strataRows(where, n, options.strata);
  const observed = scoresOf(score, responses, [identityOrder(n)])[0];
  const count: ExceedanceCount = countExceedances(observed);
  const block = Math.max(1, Math.floor(BLOCK_NUMBERS / Math.max(n, score.weights.rows)));
  for (let start = 0; start < permutations; start += block) {
    const size = Math.min(block, permutations - start);
    const orders = Array.from({ length: size }, (_, b) =>
      permuteWithin(fold(key, "permutation", start + b), strata),
    );
    for (const scores of scoresOf(score, responses, orders)) addNull(count, scores);
    yield { phase: "permutations", done: start + size, total: permutations };
  }
  return decide(count, options);
}

/** Scores of every order of the responses, one order a row of `permuted` (B×n) at a time. */
function scoresOf(
  { project, weights, unit, units, whole }: QuadraticScore,
  responses: readonly Float64Array[],
  orders: readonly Uint32Array[],
): Float64Array[] {
  const n = project.cols;
  const B = orders.length;
  const scores = orders.map(() => new Float64Array(units));
  const permuted = matrix(B, n);
  for (const y of responses) {
    orders.forEach((order, b) => {
      for (let i = 0, at = b * n; i < n; i++, at++) permuted.data[at] = y[order[i]];
    });
    const effects = multiplyTranspose(multiplyTranspose(permuted, project), weights); // B×R
    for (let b = 0; b < B; b++) {
      const own = scores[b];
      for (let r = 0, at = b * weights.rows; r < weights.rows; r++, at++)
        own[unit[r]] += effects.data[at] ** 2;
    }
  }
  if (whole)
    for (const own of scores) {
      const total = whole.reduce((sum, u) => sum + own[u], 0);
      if (total > 0) for (let u = 0; u < units; u++) own[u] /= total;
    }
  return scores;
}

function identityOrder(n: number): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}

function checkScore(where: string, { project, weights, unit, units }: QuadraticScore): void {
  if (weights.cols !== project.rows || unit.length !== weights.rows)
    throw shapeError(
      where,
      `weights of ${project.rows} columns and a unit for each of their rows`,
      `${weights.rows}×${weights.cols} weights and ${unit.length} units`,
    );
  const bad = unit.findIndex((u) => u >= units);
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs units below ${units}, got ${unit[bad]} for row ${bad}`,
    });
}
