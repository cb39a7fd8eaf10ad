import { RatewiseError, refuseUnknown } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { errorOfMean, meanOf } from "../linalg/moments.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";

/** Columns that are permuted together. The name is the label of its stream of random numbers. */
export interface ColumnGroup {
  readonly name: string;
  readonly members: readonly number[];
}

export interface PermutationImportanceOptions extends RunOptions {
  readonly key: Key;
  /** What to score, with names that differ. Default: every column, named x1 … xp. Groups may overlap. */
  readonly groups?: readonly ColumnGroup[];
  /** Permutations of each, default 10. */
  readonly repeats?: number;
}

const known: Readonly<Record<keyof PermutationImportanceOptions, true>> = {
  key: true,
  groups: true,
  repeats: true,
  signal: true,
  onProgress: true,
};

export interface PermutationImportance {
  /** Loss without permutation. */
  readonly loss: number;
  /** Mean rise of the loss, in its units; near 0 or below for what the model does not use. */
  readonly scores: Float64Array;
  /** Monte Carlo standard error of each mean, over repeats. */
  readonly standardErrors: Float64Array;
  /** Every rise, groups × repeats. */
  readonly rises: Matrix;
}

/**
 * Permutation importance (Breiman 2001; of groups: Gregorutti, Michel and Saint-Pierre 2015): the rise of the loss when the rows of a
 * group's columns are permuted together,
 *
 *     I_g = E_π[ loss(X^{π,g}) ] − loss(X).
 *
 * Each group and repeat has its own stream, keyed by the group's name: neither the order of columns nor who else is scored moves a score.
 * Give rows that the model was not fitted on. Cost: groups × repeats evaluations of the loss.
 */
export async function permutationImportance(
  loss: (X: Matrix) => number,
  X: Matrix,
  options: PermutationImportanceOptions,
): Promise<PermutationImportance> {
  refuseUnknown("permutationImportance", options, known);
  checkKey("permutationImportance", options.key);
  return drive(permutationSteps(loss, X, options), options);
}

function* permutationSteps(
  loss: (X: Matrix) => number,
  X: Matrix,
  { key, repeats = 10, groups = everyColumn(X) }: PermutationImportanceOptions,
): Generator<Progress, PermutationImportance> {
  const { rows: n, cols: p } = X;
  if (!(Number.isInteger(repeats) && repeats >= 2))
    throw new RatewiseError("domain", {
      in: "permutationImportance",
      what: `needs at least 2 repeats for a standard error, got ${repeats}`,
    });
  checkGroups(groups, p);
  const base = finite(loss(X), "the rows as they are");
  const shuffled = matrix(n, p, X.data.slice());
  const rises = matrix(groups.length, repeats);
  for (const [g, { name, members }] of groups.entries()) {
    for (let r = 0; r < repeats; r++) {
      const order = permutation(fold(key, "permute", name, r), n);
      for (const j of members)
        for (let i = 0; i < n; i++) shuffled.data[i * p + j] = X.data[order[i] * p + j];
      rises.data[g * repeats + r] = finite(loss(shuffled), `"${name}" permuted`) - base;
    }
    for (const j of members)
      for (let i = 0; i < n; i++) shuffled.data[i * p + j] = X.data[i * p + j];
    yield { phase: "permute", done: g + 1, total: groups.length };
  }
  return { loss: base, ...meansOf(rises), rises };
}

/** A loss that is no number would make every score NaN, and no ranking of them means anything. */
function finite(loss: number, of: string): number {
  if (Number.isFinite(loss)) return loss;
  throw new RatewiseError("domain", {
    in: "permutationImportance",
    what: `needs a finite loss, got ${loss} of ${of}`,
  });
}

function everyColumn(X: Matrix): ColumnGroup[] {
  return Array.from({ length: X.cols }, (_, j) => ({ name: `x${j + 1}`, members: [j] }));
}

function meansOf({ data, rows, cols }: Matrix): {
  scores: Float64Array;
  standardErrors: Float64Array;
} {
  const scores = new Float64Array(rows);
  const standardErrors = new Float64Array(rows);
  for (let g = 0; g < rows; g++) {
    const row = data.subarray(g * cols, (g + 1) * cols);
    scores[g] = meanOf(row);
    standardErrors[g] = errorOfMean(row);
  }
  return { scores, standardErrors };
}

function checkGroups(groups: readonly ColumnGroup[], p: number): void {
  const names = new Set<string>();
  for (const { name, members } of groups) {
    const wrong = members.find((j) => !(Number.isInteger(j) && j >= 0 && j < p));
    if (wrong !== undefined || members.length === 0)
      throw new RatewiseError("domain", {
        in: "permutationImportance",
        what: `needs columns from 0 to ${p - 1} in "${name}", got ${wrong ?? "none"}`,
        name,
      });
    if (names.has(name))
      throw new RatewiseError("domain", {
        in: "permutationImportance",
        what: `needs names that differ, got "${name}" twice`,
        name,
      });
    names.add(name);
  }
}
