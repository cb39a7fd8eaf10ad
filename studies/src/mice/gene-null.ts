import {
  cholesky,
  choleskyInverse,
  effectSizes,
  fold,
  forward,
  gram,
  type Key,
  type Matrix,
  matrix,
  permutation,
  type RunOptions,
  selectByQuadraticNull,
} from "@ratewise/core";
import { coordinates, geneScore } from "./gene-score.ts";
import type { Gene } from "./genes.ts";
import { genotypeRows, scalesOf } from "./genotype-rows.ts";
import { type TraitRows, trainOnGenotypes } from "./network.ts";
import type { Mice } from "./read-mice.ts";

export interface GeneNull {
  /** One a gene. */
  readonly pValues: Float64Array;
  readonly qValues: Float64Array;
}

export interface GeneNulls {
  /** Responses permuted among all mice of the half. */
  readonly all: GeneNull;
  /** Permuted within litters only. */
  readonly litter: GeneNull;
  /** Of the share of a gene in all genes, which does not grow with how well the trait is predicted. */
  readonly shares: GeneNull;
}

export interface GeneNullOptions extends RunOptions {
  readonly key: Key;
  readonly epochs: number;
  readonly permutations: number;
}

/** τ² of the refit in units of the trait's variance; any fixed value gives a valid test. */
const NOISE = 0.5;

/**
 * p-values of groupRATE, gene by gene, so that a gene's size cancels: hidden layers are trained on one half of the mice, a Gaussian output
 * layer is fitted to the other, and that half's responses are permuted. Only the layer's mean changes, linearly, and all
 * permutations are one matrix product. The score is the divergence itself, which grows with the fit; `shares` asks about the part of it that a gene has.
 */
export async function geneNulls(
  mice: Mice,
  { rows, y }: TraitRows,
  genes: readonly Gene[],
  { key, epochs, permutations, ...run }: GeneNullOptions,
): Promise<GeneNulls> {
  const order = permutation(fold(key, "halves"), rows.length);
  const half = Math.ceil(rows.length / 2);
  const [first, second] = [order.slice(0, half).sort(), order.slice(half).sort()];
  const of = (part: Uint32Array) => ({
    mice: Uint32Array.from(part, (i) => rows[i]),
    y: Float64Array.from(part, (i) => y[i]),
  });
  const [trained, tested] = [of(first), of(second)];
  const scales = scalesOf(mice, trained.mice);
  const network = await trainOnGenotypes(
    genotypeRows(mice, trained.mice, scales),
    trained.y,
    fold(key, "network"),
    epochs,
    run,
  );
  const X = genotypeRows(mice, tested.mice, scales);
  const hidden = centred(forward(network, X).hidden);
  const covariance = posteriorCovariance(hidden);
  const factor = cholesky(covariance);
  const responses = [standardised(tested.y)];
  const weights = { mean: new Float64Array(hidden.cols), covariance };
  const effects = effectSizes(X, hidden, weights, { noiseVariance: NOISE });
  const score = geneScore(effects, genes, coordinates(factor, hidden, NOISE));
  const strata = Array.from(tested.mice, (mouse) => mice.litter[mouse]);
  const nullOf = (name: string, shares: boolean, within: boolean): Promise<GeneNull> =>
    selectByQuadraticNull(
      { ...score, ...(shares && { whole: genes.map((_, g) => g) }) },
      responses,
      { ...run, permutations, key: fold(key, name), ...(within && { strata }) },
    );
  return {
    all: await nullOf("all", false, false),
    litter: await nullOf("litter", false, true),
    shares: await nullOf("shares", true, false),
  };
}

/** V = (I + HᵀH/τ²)⁻¹: of y = Hw + ε with centred H, prior N(0, I) and τ² fixed. */
function posteriorCovariance(H: Matrix): Matrix {
  const precision = gram(H);
  for (let e = 0; e < precision.data.length; e++) precision.data[e] /= NOISE;
  for (let k = 0; k < H.cols; k++) precision.data[k * (H.cols + 1)] += 1;
  return choleskyInverse(cholesky(precision));
}

function centred({ data, rows, cols }: Matrix): Matrix {
  const out = matrix(rows, cols, data.slice());
  for (let k = 0; k < cols; k++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += data[i * cols + k] / rows;
    for (let i = 0; i < rows; i++) out.data[i * cols + k] -= mean;
  }
  return out;
}

function standardised(y: Float64Array): Float64Array {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  const square = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return y.map((value) => (value - mean) * Math.sqrt((y.length - 1) / square));
}
