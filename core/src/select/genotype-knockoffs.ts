import { RatewiseError, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { fold, type Key, uniforms } from "../random/index.ts";

/** 0, 1 and 2 copies of the counted allele. */
const STATES = 3;

/**
 * A Markov chain along the columns of a genotype table: column j given column j − 1, with chances estimated from the rows. Linkage
 * between neighbours is in it; what two columns share beyond those between them, and family or population structure, is not.
 */
export interface GenotypeKnockoffs {
  readonly kind: "genotype-knockoffs";
  /** Chances of 0, 1, 2 in column j given 0, 1, 2 in column j − 1: p×3×3, rows equal where a chain starts. */
  readonly transitions: Float64Array;
}

export interface GenotypeOptions {
  /** First columns of chains that do not depend on what is left of them, such as chromosomes; 0 always is one. */
  readonly chainStarts?: readonly number[];
  /** Rows' worth of the column's own frequencies added to every transition, default 1: no chance is zero. */
  readonly pseudoCount?: number;
}

/** Estimates the chain from rows of whole numbers 0, 1, 2. O(n·p). */
export function fitGenotypeKnockoffs(X: Matrix, options: GenotypeOptions = {}): GenotypeKnockoffs {
  const where = "fitGenotypeKnockoffs";
  const { data, rows: n, cols: p } = X;
  const { pseudoCount = 1 } = options;
  if (!(pseudoCount > 0))
    throw new RatewiseError("domain", {
      in: where,
      what: `needs a pseudo-count above 0, got ${pseudoCount}`,
      option: "pseudoCount",
    });
  checkGenotypes(where, X);
  const starts = new Set([0, ...(options.chainStarts ?? [])]);
  const transitions = new Float64Array(p * STATES * STATES);
  for (let j = 0; j < p; j++) {
    const own = new Float64Array(STATES).fill(1 / STATES); // a third of a row each: even an absent genotype has a chance
    for (let i = 0; i < n; i++) own[data[i * p + j]]++;
    const counts = new Float64Array(STATES * STATES);
    for (let from = 0; from < STATES; from++)
      for (let to = 0; to < STATES; to++)
        counts[from * STATES + to] = (pseudoCount * own[to]) / (n + 1);
    for (let i = 0; i < n; i++) {
      if (starts.has(j))
        for (let from = 0; from < STATES; from++) counts[from * STATES + data[i * p + j]]++;
      else counts[data[i * p + j - 1] * STATES + data[i * p + j]]++;
    }
    for (let from = 0; from < STATES; from++) {
      const total = counts[from * STATES] + counts[from * STATES + 1] + counts[from * STATES + 2];
      for (let to = 0; to < STATES; to++)
        transitions[(j * STATES + from) * STATES + to] = counts[from * STATES + to] / total;
    }
  }
  return { kind: "genotype-knockoffs", transitions };
}

/**
 * One draw of copies, again 0, 1, 2. Exact for rows that are such a Markov chain (Sesia, Sabatti and Candès 2019, Proposition 1): from left to
 * right, with Q_j the transitions and N_0 = 1,
 *
 *     P(x̃_j) ∝ Q_j(x̃_j | x_{j−1}) Q_j(x̃_j | x̃_{j−1}) Q_{j+1}(x_{j+1} | x̃_j) / N_{j−1}(x̃_j)
 *     N_j(k) = Σ_l Q_j(l | x_{j−1}) Q_j(l | x̃_{j−1}) Q_{j+1}(k | l) / N_{j−1}(l)
 *
 * without the factors of columns that are not there. O(n·p).
 */
export function drawGenotypeKnockoffs(model: GenotypeKnockoffs, X: Matrix, key: Key): Matrix {
  const { data, rows: n, cols: p } = X;
  if (model.transitions.length !== p * STATES * STATES)
    throw shapeError(
      "drawGenotypeKnockoffs",
      `${model.transitions.length / 9} columns, as in the fit`,
      `${p}`,
    );
  checkGenotypes("drawGenotypeKnockoffs", X);
  const out = matrix(n, p);
  const next = uniforms(fold(key, "genotypes"));
  for (let i = 0; i < n; i++)
    copyChain(
      model.transitions,
      data.subarray(i * p, (i + 1) * p),
      out.data.subarray(i * p, (i + 1) * p),
      () => next(),
    );
  return out;
}

/** Copies one row; `next` gives one uniform number per column. */
function copyChain(Q: Float64Array, x: Float64Array, copy: Float64Array, next: () => number): void {
  const p = x.length;
  let before = new Float64Array(STATES).fill(1); // N_{j−1}
  for (let j = 0; j < p; j++) {
    const base = genotypeChances(Q, x, copy, j, before);
    const chances = base.map(
      (chance, l) => chance * (j + 1 < p ? Q[((j + 1) * STATES + l) * STATES + x[j + 1]] : 1),
    );
    copy[j] = choose(chances, next());
    if (j + 1 < p) {
      const after = new Float64Array(STATES);
      for (let k = 0; k < STATES; k++)
        for (let l = 0; l < STATES; l++)
          after[k] += base[l] * Q[((j + 1) * STATES + l) * STATES + k];
      before = after;
    }
  }
}

/** Q_j(l | x_{j−1}) Q_j(l | x̃_{j−1}) / N_{j−1}(l); the first column has one factor only. */
function genotypeChances(
  Q: Float64Array,
  x: Float64Array,
  copy: Float64Array,
  j: number,
  before: Float64Array,
): Float64Array {
  return before.map((norm, l) => {
    if (j === 0) return Q[l];
    return (
      (Q[(j * STATES + x[j - 1]) * STATES + l] * Q[(j * STATES + copy[j - 1]) * STATES + l]) / norm
    );
  });
}

function choose(chances: Float64Array, uniform: number): number {
  let left = uniform * (chances[0] + chances[1] + chances[2]);
  for (let state = 0; state < STATES - 1; state++) {
    left -= chances[state];
    if (left < 0) return state;
  }
  return STATES - 1;
}

function checkGenotypes(where: string, { data, cols }: Matrix): void {
  const bad = data.findIndex((value) => value !== 0 && value !== 1 && value !== 2);
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: where,
      what: `needs genotypes 0, 1, 2, got ${data[bad]} in row ${Math.floor(bad / cols)}, column ${bad % cols}`,
      advice: "fill missing ones first, or use Gaussian copies",
      row: Math.floor(bad / cols),
      column: bad % cols,
    });
}
