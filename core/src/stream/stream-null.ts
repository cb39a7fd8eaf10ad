import { centre } from "../effects/centre.ts";
import { multiplyFactorInto, weightFactor } from "../effects/gaussian-weights.ts";
import type { GaussianWeights } from "../effects/index.ts";
import { shapeError } from "../errors.ts";
import { type Matrix, matrix, multiplyTranspose, rowBlock } from "../linalg/index.ts";
import { multiplyInto } from "../linalg/products.ts";
import { fold } from "../random/index.ts";
import { drive, type Progress } from "../run.ts";
import { addNull, countExceedances, type ExceedanceCount } from "../select/exceedance.ts";
import type { PermutationOptions, PermutationSelection } from "../select/index.ts";
import { checkPermutation, decide } from "../select/permutation-null.ts";
import { permuteWithin, strataRows } from "../select/permute-rows.ts";
import {
  groupRows,
  type MeanTerm,
  type ScoreRows,
  variableRows,
  wholeRows,
} from "./mean-term-null.ts";

export interface StreamNullInput extends MeanTerm {
  /** H of the rows, n×l; centred or not. */
  readonly hidden: Matrix;
  /** w ~ N(m, V): V makes m = V HᵀCy/τ² from a response y. */
  readonly weights: GaussianWeights;
  /** Columns of responses, permuted together: numbers, or an indicator a class. */
  readonly responses: readonly Float64Array[];
  readonly groups?: readonly { readonly members: readonly number[] }[];
}

export interface StreamNull {
  readonly variables: PermutationSelection;
  readonly groups: PermutationSelection | null;
}

const PERMUTATIONS = 1000;
/** Permuted responses held at a time, in numbers (32 MB). */
const BLOCK_NUMBERS = 2 ** 22;
/** Permutations whose scores are formed together. */
const TOGETHER = 512;

/**
 * Permutation p-values of the shares of RATE with the output layer refitted to every permuted response and all else held fixed: given V and
 * τ² only the mean changes, μ = A z with z = FᵀHᵀCy (V = F Fᵀ; a scale common to all drops out of shares), so all B permutations are two
 * matrix products, O(B·l·(n + p)), in blocks of variables. Valid for the global null when H was not trained on these
 * rows' responses; see selectByQuadraticNull, whose p-values these are.
 */
export function streamNull(
  input: StreamNullInput,
  options: PermutationOptions,
): Promise<StreamNull> {
  return drive(steps(input, options), options);
}

function* steps(
  input: StreamNullInput,
  options: PermutationOptions,
): Generator<Progress, StreamNull> {
  const where = "streamNull";
  const { hidden, responses, groups } = input;
  const { permutations = PERMUTATIONS, fdr = 0.1 } = options;
  if (responses.length === 0) throw shapeError(where, "at least one column of responses", "none");
  for (const y of responses) checkPermutation(where, hidden.rows, y, fdr, permutations);
  const Z = yield* permutedCoordinates(where, input, permutations, options);
  const whole = lengths(Z, wholeRows(input));
  const total = input.factor.rows + (groups?.length ?? 0);
  let done = 0;
  function* count(blocks: Iterable<ScoreRows>): Generator<Progress, PermutationSelection> {
    const parts: ExceedanceCount[] = [];
    for (const rows of blocks) {
      parts.push(exceedances(Z, rows, whole));
      done += rows.units;
      yield { phase: "permutations", done, total };
    }
    return decide(joined(parts, permutations), options);
  }
  const variables = yield* count(variableRows(input));
  return { variables, groups: groups ? yield* count(groupRows(input, groups)) : null };
}

/** z of the responses as they are, then of every permutation: one (1 + B)×l matrix a response. */
function* permutedCoordinates(
  where: string,
  { hidden, weights, responses }: StreamNullInput,
  permutations: number,
  { key, strata }: PermutationOptions,
): Generator<Progress, Matrix[]> {
  const { rows: n, cols: l } = hidden;
  const F = weightFactor(where, weights, l, 1);
  const { centred } = centre(where, "H", hidden);
  const project = matrix(n, F instanceof Float64Array ? l : F.cols); // C·H·F
  multiplyFactorInto(project, centred, F);
  const within = strataRows(where, n, strata);
  const Z = responses.map(() => matrix(1 + permutations, project.cols));
  const block = Math.max(1, Math.floor(BLOCK_NUMBERS / n));
  for (let start = 0; start <= permutations; start += block) {
    const size = Math.min(block, 1 + permutations - start);
    const permuted = matrix(size, n);
    const orders = Array.from({ length: size }, (_, b) =>
      start + b === 0 ? null : permuteWithin(fold(key, "permutation", start + b - 1), within),
    );
    responses.forEach((y, r) => {
      orders.forEach((order, b) => {
        for (let i = 0; i < n; i++) permuted.data[b * n + i] = y[order ? order[i] : i];
      });
      multiplyInto(rowBlock(Z[r], start, start + size), permuted, project);
    });
    yield { phase: "permutations", done: 0, total: 1 };
  }
  return Z;
}

/** Σ over responses and rows of (row·z)², for every z. */
function lengths(Z: readonly Matrix[], rows: Matrix): Float64Array {
  const out = new Float64Array(Z[0].rows);
  for (const one of Z) {
    const E = multiplyTranspose(one, rows);
    for (let e = 0; e < E.data.length; e++) out[Math.floor(e / rows.rows)] += E.data[e] ** 2;
  }
  return out;
}

function exceedances(
  Z: readonly Matrix[],
  { weights, unit, units }: ScoreRows,
  whole: Float64Array,
): ExceedanceCount {
  const R = weights.rows;
  let count: ExceedanceCount | null = null;
  const scores = new Float64Array(units);
  for (let start = 0; start < Z[0].rows; start += TOGETHER) {
    const end = Math.min(Z[0].rows, start + TOGETHER);
    const products = Z.map((one) => multiplyTranspose(rowBlock(one, start, end), weights));
    for (let b = start; b < end; b++) {
      scores.fill(0);
      const from = (b - start) * R;
      for (const { data } of products)
        for (let r = 0; r < R; r++) scores[unit[r]] += data[from + r] ** 2;
      if (whole[b] > 0) for (let u = 0; u < units; u++) scores[u] /= whole[b];
      if (count === null) count = countExceedances(scores.slice());
      else addNull(count, scores);
    }
  }
  return count!;
}

function joined(parts: readonly ExceedanceCount[], permutations: number): ExceedanceCount {
  const join = (field: "observed" | "above" | "equal"): Float64Array => {
    const out = new Float64Array(parts.reduce((sum, part) => sum + part[field].length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part[field], at);
      at += part[field].length;
    }
    return out;
  };
  return { observed: join("observed"), above: join("above"), equal: join("equal"), permutations };
}
