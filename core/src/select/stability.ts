import { RatewiseError, refuseUnknown } from "../errors.ts";
import { needMatrix } from "../linalg/checks.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { selectRows } from "../linalg/matrix.ts";
import { fold, type Key, uniformInteger, uniforms } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import { within } from "./knockoffs.ts";
import { type Partition, singletons } from "./partition.ts";
import { runScore, type Score } from "./score.ts";

export interface StabilityOptions {
  /** The k of "among the first k", default 10. */
  readonly top?: number;
  /** Coverage of the rank intervals, default 0.9. */
  readonly level?: number;
}

/** How far a ranking can be trusted, one entry per variable. */
export interface RankStability {
  /** P(rank ≤ top). */
  readonly inTop: Float64Array;
  /** Ends of the interval of the rank, 1 is best. */
  readonly lower: Uint32Array;
  readonly upper: Uint32Array;
  readonly medianRank: Float64Array;
}

/** Ranks over draws of all scores, s×p: in how many each is among the first, and between which ranks it lies. O(s·p log p). */
export function rankStability(draws: Matrix, options: StabilityOptions = {}): RankStability {
  refuseUnknown("rankStability", options, { top: true, level: true });
  needMatrix("rankStability", "draws", draws);
  const { top = 10, level = 0.9 } = options;
  const { rows: s, cols: p } = draws;
  if (s < 2 || p < 1 || !(level > 0 && level < 1) || !(top >= 1))
    throw new RatewiseError("domain", {
      in: "rankStability",
      what: `needs at least 2 draws, a level inside (0, 1) and top ≥ 1, got ${s} draws, level ${level}, top ${top}`,
    });
  const ranks = matrix(p, s);
  const inTop = new Float64Array(p);
  for (let d = 0; d < s; d++) {
    ranksOf(draws.data.subarray(d * p, (d + 1) * p)).forEach((rank, j) => {
      ranks.data[j * s + d] = rank;
      if (rank <= top) inTop[j]++;
    });
  }
  for (let j = 0; j < p; j++) inTop[j] /= s;
  const lower = new Uint32Array(p);
  const upper = new Uint32Array(p);
  const medianRank = new Float64Array(p);
  const tail = (1 - level) / 2;
  for (let j = 0; j < p; j++) {
    const own = ranks.data.subarray(j * s, (j + 1) * s).sort();
    // Ranks are whole: the interval ends at observed ones.
    lower[j] = own[Math.round(tail * (s - 1))];
    upper[j] = own[Math.round((1 - tail) * (s - 1))];
    medianRank[j] = (own[Math.floor((s - 1) / 2)] + own[Math.ceil((s - 1) / 2)]) / 2;
  }
  return { inTop, lower, upper, medianRank };
}

/** 1 for the largest; ties by order. */
function ranksOf(scores: Float64Array): Uint32Array {
  const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  const ranks = new Uint32Array(scores.length);
  order.forEach((j, at) => {
    ranks[j] = at + 1;
  });
  return ranks;
}

export interface RowBootstrapOptions extends RunOptions {
  readonly key: Key;
  readonly score: Score;
  /** Resamples, default 100. */
  readonly resamples?: number;
  readonly units?: Partition;
}

/** Scores of resampled rows (with replacement), resamples×units: what another table of this size might have said. */
export async function bootstrapScores(
  X: Matrix,
  y: Float64Array,
  {
    key,
    score,
    resamples = 100,
    units = singletons(X.cols),
    signal,
    onProgress,
  }: RowBootstrapOptions,
): Promise<Matrix> {
  const out = matrix(resamples, units.length);
  for (let r = 0; r < resamples; r++) {
    signal?.throwIfAborted();
    const next = uniforms(fold(key, "rows", r));
    const rows = Uint32Array.from({ length: X.rows }, () => uniformInteger(next, X.rows));
    const scores = await runScore(
      "bootstrapScores",
      score,
      selectRows(X, rows),
      Float64Array.from(rows, (row) => y[row]),
      fold(key, "score", r),
      {
        units,
        ...(signal && { signal }),
        ...(onProgress && { onProgress: within(onProgress, r, resamples) }),
      },
    );
    out.data.set(scores, r * units.length);
  }
  return out;
}
