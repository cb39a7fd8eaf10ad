import type { Diagnostic } from "../diagnostic.ts";
import { RatewiseError, refuseUnknown, refuseUnlisted, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { fold, type Key } from "../random/index.ts";
import type { Progress, RunOptions } from "../run.ts";
import { inOrder } from "./at-once.ts";
import {
  type Combination,
  type CombinedSelection,
  combinationNames,
  combineDraws,
} from "./combine-draws.ts";
import {
  drawGaussianKnockoffs,
  fitGaussianKnockoffs,
  type GaussianKnockoffOptions,
} from "./gaussian-knockoffs.ts";
import {
  drawGenotypeKnockoffs,
  fitGenotypeKnockoffs,
  type GenotypeOptions,
} from "./genotype-knockoffs.ts";
import { knockoffStatistics, requireRate } from "./knockoff-filter.ts";
import { completePartition, type Partition } from "./partition.ts";
import { drawPermutedKnockoffs } from "./permuted-knockoffs.ts";
import { runScore, type Score } from "./score.ts";

export const copiesKinds: readonly CopiesModel["kind"][] = ["gaussian", "permuted", "genotype"];

/** What is taken to be known about the columns. */
export type CopiesModel =
  | ({ readonly kind: "gaussian" } & Omit<GaussianKnockoffOptions, "groups">)
  | { readonly kind: "permuted" }
  | ({ readonly kind: "genotype" } & GenotypeOptions);

export interface KnockoffOptions extends RunOptions {
  readonly key: Key;
  readonly score: Score;
  /** The false discovery rate asked for, such as 0.1. */
  readonly fdr: number;
  /** Sets of columns selected as one; they share no column. Default: each column. Columns in no group are copied, not tested. */
  readonly groups?: Partition;
  /** Default Gaussian. */
  readonly copies?: CopiesModel;
  /** Draws of copies, each scored anew; default 1. */
  readonly draws?: number;
  /** Default `e-values`. */
  readonly combination?: Combination;
  /** Draws scored together; worth it where the score's work is done elsewhere. The result does not depend on it. Default 1. */
  readonly atOnce?: number;
}

const known: Readonly<Record<keyof KnockoffOptions, true>> = {
  key: true,
  score: true,
  fdr: true,
  groups: true,
  copies: true,
  draws: true,
  combination: true,
  atOnce: true,
  signal: true,
  onProgress: true,
};

export interface KnockoffSelection extends CombinedSelection {
  /** W of every draw, one number per unit. */
  readonly statistics: readonly Float64Array[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Selects columns or groups such that on average at most a share `fdr` of the selected does not help to know y given all the others:
 * scores [X, X̃] together and keeps what beats its copy by enough. That holds for any score and any law of y given X, as far as the copies are
 * exchangeable with the columns.
 */
export async function selectByKnockoffs(
  X: Matrix,
  y: Float64Array,
  options: KnockoffOptions,
): Promise<KnockoffSelection> {
  const where = "selectByKnockoffs";
  refuseUnknown(where, options, known);
  refuseUnlisted(where, "copies", copiesKinds, options.copies?.kind);
  refuseUnlisted(where, "combination", combinationNames, options.combination);
  const { key, score, fdr, draws = 1, combination, atOnce = 1, signal, onProgress } = options;
  requireRate(where, fdr);
  if (y.length !== X.rows)
    throw shapeError(where, `${X.rows} responses, one per row`, `${y.length}`);
  if (!(Number.isInteger(draws) && draws >= 1))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs at least 1 draw, got ${draws}`,
      option: "draws",
    });
  const partition = completePartition(where, options.groups, X.cols);
  const units = options.groups ?? partition;
  const { draw, diagnostics } = copyMaker(X, options.copies ?? { kind: "gaussian" }, partition);
  const both = [...units, ...units.map((members) => members.map((j) => X.cols + j))];
  const statistics = await inOrder(draws, atOnce, async (d) => {
    signal?.throwIfAborted();
    const joined = beside(X, draw(fold(key, "copies", d)));
    const scores = await runScore(where, score, joined, y, fold(key, "score", d), {
      units: both,
      ...(signal && { signal }),
      ...(onProgress && { onProgress: within(onProgress, d, draws) }),
    });
    return knockoffStatistics(scores);
  });
  return { ...combineDraws(statistics, fdr, combination), statistics, diagnostics };
}

interface CopyMaker {
  readonly draw: (key: Key) => Matrix;
  readonly diagnostics: readonly Diagnostic[];
}

/** Fits the law of the copies once, for any number of draws. */
function copyMaker(X: Matrix, model: CopiesModel, groups: Partition): CopyMaker {
  switch (model.kind) {
    case "gaussian": {
      const fitted = fitGaussianKnockoffs(X, { ...model, groups });
      return {
        draw: (key) => drawGaussianKnockoffs(fitted, X, key),
        diagnostics: fitted.diagnostics,
      };
    }
    case "permuted":
      return { draw: (key) => drawPermutedKnockoffs(X, key, groups), diagnostics: [] };
    case "genotype": {
      const fitted = fitGenotypeKnockoffs(X, model);
      return { draw: (key) => drawGenotypeKnockoffs(fitted, X, key), diagnostics: [] };
    }
  }
  return model satisfies never;
}

/** [X, X̃], n×2p. */
export function beside(X: Matrix, copies: Matrix): Matrix {
  const { rows, cols: p } = X;
  if (copies.rows !== rows || copies.cols !== p)
    throw shapeError("beside", `copies of ${rows}×${p}`, `${copies.rows}×${copies.cols}`);
  const out = matrix(rows, 2 * p);
  for (let i = 0; i < rows; i++) {
    out.data.set(X.data.subarray(i * p, (i + 1) * p), i * 2 * p);
    out.data.set(copies.data.subarray(i * p, (i + 1) * p), i * 2 * p + p);
  }
  return out;
}

/** The progress of part `at` of `parts` as progress of the whole. */
export function within(
  onProgress: (event: Progress) => void,
  at: number,
  parts: number,
): (event: Progress) => void {
  return ({ phase, done, total }) =>
    onProgress({ phase, done: at * total + done, total: parts * total });
}
