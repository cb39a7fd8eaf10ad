import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import { gram, type Matrix, matrix } from "../linalg/index.ts";
import { topSvd } from "../linalg/top-svd.ts";
import { fold, type Key, normalInto } from "../random/index.ts";
import { correlationBlocks } from "./blocks.ts";
import {
  type DenseConstruction,
  denseConstruction,
  denseCopies,
  type KnockoffMethod,
} from "./dense-construction.ts";
import {
  type LowRankConstruction,
  type LowRankCovariance,
  lowRankConstruction,
  lowRankCopies,
} from "./low-rank-construction.ts";
import { completePartition, type Partition } from "./partition.ts";
import { estimateShrinkage, type Shrinkage } from "./shrinkage.ts";
import { standardise } from "./standardise.ts";

export interface GaussianKnockoffOptions {
  /** Default `minimum-variance`. */
  readonly method?: KnockoffMethod;
  /** Sets of columns exchanged as one; they share no column. Default: each by itself. */
  readonly groups?: Partition;
  /** λ of the shrinkage of correlations between groups; default: by the data. */
  readonly shrinkage?: number;
  /** `dense` keeps p×p correlations, `low-rank` a (block) diagonal plus low rank; default: dense up to 1,000 columns. */
  readonly structure?: "dense" | "low-rank";
  /**
   * Directions of `low-rank`; default: all rows where there are at most half as many as columns, otherwise a quarter of the columns, at most
   * 500. Fewer directions match fewer of the correlations between groups and leave copies farther from their originals.
   */
  readonly rank?: number;
}

/** The law of the copies, fitted to some rows: plain data. */
export interface GaussianKnockoffs {
  readonly kind: "gaussian-knockoffs";
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  readonly lambda: number;
  readonly construction: DenseConstruction | LowRankConstruction;
  readonly diagnostics: readonly Diagnostic[];
}

const DENSE_COLUMNS = 1000;
const MOST_DIRECTIONS = 500;
/** Copies closer to their originals than this share of the variance leave little to tell apart. */
const CLOSE = 0.05;

/**
 * Second-order Gaussian knockoffs (Candès, Fan, Janson and Lv 2018): copies with the same mean, variances and correlations, also with
 * the originals they are not copies of. Exact for jointly normal rows with this covariance, an approximation otherwise. Correlations are
 * estimated with shrinkage (see estimateShrinkage).
 */
export function fitGaussianKnockoffs(
  X: Matrix,
  options: GaussianKnockoffOptions = {},
): GaussianKnockoffs {
  const where = "fitGaussianKnockoffs";
  const { method = "minimum-variance", shrinkage } = options;
  if (shrinkage !== undefined && !(shrinkage >= 0 && shrinkage <= 1))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a shrinkage from 0 to 1, got ${shrinkage}`,
      option: "shrinkage",
    });
  const { Z, mean, scale } = standardise(where, X);
  const groups = completePartition(where, options.groups, X.cols);
  const estimate = estimateShrinkage(Z, groups, shrinkage);
  const structure = options.structure ?? (X.cols <= DENSE_COLUMNS ? "dense" : "low-rank");
  const construction =
    structure === "dense"
      ? denseConstruction(shrunkCorrelation(Z, groups, estimate), groups, method)
      : lowRankConstruction(lowRankCovariance(Z, groups, estimate, options.rank), method);
  return {
    kind: "gaussian-knockoffs",
    mean,
    scale,
    lambda: estimate.lambda,
    construction,
    diagnostics: closeCopies(construction, X.cols),
  };
}

/** One draw of copies of the rows of X, which are those of the fit or others like them. O(n·p²), low rank O(n·p·k). */
export function drawGaussianKnockoffs(model: GaussianKnockoffs, X: Matrix, key: Key): Matrix {
  const { mean, scale, construction } = model;
  const { rows: n, cols: p } = X;
  if (p !== mean.length)
    throw shapeError("drawGaussianKnockoffs", `${mean.length} columns, as in the fit`, `${p}`);
  const Z = matrix(n, p);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++) Z.data[i * p + j] = (X.data[i * p + j] - mean[j]) / scale[j];
  const copies =
    construction.kind === "dense"
      ? denseCopies(construction, Z, normalRows(fold(key, "noise"), n, p))
      : lowRankCopies(construction, Z, (start, end) =>
          normalRows(fold(key, "noise", start), end - start, p + construction.whitened.rows),
        );
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++)
      copies.data[i * p + j] = mean[j] + scale[j] * copies.data[i * p + j];
  return copies;
}

function normalRows(key: Key, rows: number, cols: number): Matrix {
  const out = matrix(rows, cols);
  normalInto(out.data, key);
  return out;
}

/** (1 − λ)R + λ·diag(T_g). */
function shrunkCorrelation(Z: Matrix, groups: Partition, { lambda, target }: Shrinkage): Matrix {
  const p = Z.cols;
  const R = gram(Z);
  for (let e = 0; e < R.data.length; e++) R.data[e] *= (1 - lambda) / (Z.rows - 1);
  groups.forEach((members, g) => {
    const size = members.length;
    for (let a = 0; a < size; a++)
      for (let b = 0; b < size; b++)
        R.data[members[a] * p + members[b]] += lambda * target[g].data[a * size + b];
  });
  return R;
}

function defaultRank({ rows, cols }: Matrix): number {
  return rows <= cols / 2 ? rows : Math.min(MOST_DIRECTIONS, Math.ceil(cols / 4));
}

/** The same matrix as a block diagonal plus rows of Z; of many rows only the leading directions, the rest within groups. */
function lowRankCovariance(
  Z: Matrix,
  groups: Partition,
  { lambda, target }: Shrinkage,
  rank = defaultRank(Z),
): LowRankCovariance {
  const { rows: n, cols: p } = Z;
  const keep = Math.sqrt((1 - lambda) / (n - 1));
  const ownPart = (factor: number, block: Matrix): Matrix =>
    matrix(
      block.rows,
      block.cols,
      block.data.map((value) => factor * value),
    );
  if (!(lambda > 0))
    throw new RatewiseError("domain", {
      in: "fitGaussianKnockoffs",
      what: `needs a shrinkage above 0 for a low-rank structure, got ${lambda}`,
      option: "shrinkage",
      advice: "leave it to the data",
    });
  if (!(Number.isInteger(rank) && rank >= 1))
    throw new RatewiseError("domain", {
      in: "fitGaussianKnockoffs",
      what: `needs a rank of at least 1, got ${rank}`,
      option: "rank",
    });
  if (rank >= n)
    return {
      groups,
      blocks: target.map((block) => ownPart(lambda, block)),
      factorTransposed: matrix(
        n,
        p,
        Z.data.map((value) => keep * value),
      ),
    };
  const { values, V } = topSvd(Z, rank, startingColumns(p, Math.min(rank + 10, n, p)), {
    tolerance: 1e-3,
    iterations: 8,
  });
  const factorTransposed = matrix(rank, p);
  for (let i = 0; i < rank; i++)
    for (let j = 0; j < p; j++)
      factorTransposed.data[i * p + j] = keep * values[i] * V.data[j * rank + i];
  const inside = correlationBlocks(Z, groups);
  const blocks = groups.map((members, g) => {
    const size = members.length;
    const block = ownPart(lambda, target[g]);
    for (let a = 0; a < size; a++)
      for (let b = 0; b < size; b++) {
        let explained = 0;
        for (let i = 0; i < rank; i++)
          explained +=
            factorTransposed.data[i * p + members[a]] * factorTransposed.data[i * p + members[b]];
        block.data[a * size + b] += (1 - lambda) * inside[g].data[a * size + b] - explained;
      }
    return block;
  });
  return { groups, blocks, factorTransposed };
}

/** Any normal columns do, so they come from a key of their own. */
function startingColumns(p: number, count: number): Matrix {
  return normalRows({ k0: 0x6b6e6f63, k1: 0x6b6f6666 }, p, count);
}

/** Columns whose copies are nearly themselves: no filter can tell them apart. */
function closeCopies(
  construction: DenseConstruction | LowRankConstruction,
  p: number,
): Diagnostic[] {
  const close: number[] = [];
  construction.groups.forEach((members, g) => {
    members.forEach((j, a) => {
      const distance =
        construction.kind === "dense"
          ? construction.distances[g].data[a * members.length + a]
          : construction.distance[j] * squaredRow(construction.factors[g], a);
      if (distance < CLOSE) close.push(j);
    });
  });
  if (close.length === 0) return [];
  return [
    diagnostic(
      "copies-near-originals",
      `${close.length} of ${p} columns are so correlated with others that their knockoff copies are almost the same as the columns. They cannot be selected one by one. Put them into groups with the columns they follow.`,
      { columns: close },
    ),
  ];
}

/** D_aa = Σ_b L_ab². */
function squaredRow({ data, cols }: Matrix, a: number): number {
  let sum = 0;
  for (let b = 0; b <= a; b++) sum += data[a * cols + b] ** 2;
  return sum;
}
