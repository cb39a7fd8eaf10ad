import { fold, type Key, type Matrix, type RunOptions } from "@ratewise/core";
import { effectSizes } from "@ratewise/core/effects";
import { cholesky, choleskyInverse, gram } from "@ratewise/core/linalg";
import { forward, type Rows } from "@ratewise/core/network";
import { permutation } from "@ratewise/core/random";
import { type QuadraticScore, selectByQuadraticNull } from "@ratewise/core/select";
import { groupBy } from "../group-by.ts";
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
  /** Genotypes, hidden units and responses less their litters' means, responses permuted within litters. */
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
  const { hidden } = forward(network, X);
  const litters = Array.from(tested.mice, (mouse) => mice.litter[mouse]);
  const options = { ...run, permutations };
  const among = inputOf({ X, hidden, y: tested.y }, genes);
  const within = inputOf(
    {
      X: centredWithin(X, litters),
      hidden: centredWithin(hidden, litters),
      y: centredWithin({ data: tested.y, rows: tested.y.length, cols: 1 }, litters).data,
    },
    genes,
  );
  const all = genes.map((_, g) => g);
  return {
    all: await selectByQuadraticNull(among.score, among.responses, {
      ...options,
      key: fold(key, "all"),
    }),
    litter: await selectByQuadraticNull(within.score, within.responses, {
      ...options,
      key: fold(key, "litter"),
      strata: litters,
    }),
    shares: await selectByQuadraticNull({ ...among.score, whole: all }, among.responses, {
      ...options,
      key: fold(key, "shares"),
    }),
  };
}

interface Tested {
  readonly X: Rows;
  readonly hidden: Matrix;
  readonly y: Float64Array;
}

/** The score as a function of the response, and the response. */
function inputOf(
  { X, hidden, y }: Tested,
  genes: readonly Gene[],
): { readonly score: QuadraticScore; readonly responses: readonly Float64Array[] } {
  const H = centredWithin(hidden, new Array(hidden.rows).fill(""));
  const covariance = posteriorCovariance(H);
  const weights = { mean: new Float64Array(H.cols), covariance };
  const effects = effectSizes(X, H, weights, { noiseVariance: NOISE });
  const score = geneScore(effects, genes, coordinates(cholesky(covariance), H, NOISE));
  return { score, responses: [standardised(y)] };
}

/** V = (I + HᵀH/τ²)⁻¹: of y = Hw + ε with centred H, prior N(0, I) and τ² fixed. */
function posteriorCovariance(H: Matrix): Matrix {
  const precision = gram(H);
  for (let e = 0; e < precision.data.length; e++) precision.data[e] /= NOISE;
  for (let k = 0; k < H.cols; k++) precision.data[k * (H.cols + 1)] += 1;
  return choleskyInverse(cholesky(precision));
}

/** Each column less its mean over the rows of one label: what is left differs between mice of a litter. */
export function centredWithin<Data extends Float32Array | Float64Array>(
  { data, rows, cols }: { readonly data: Data; readonly rows: number; readonly cols: number },
  labels: readonly string[],
): { readonly data: Data; readonly rows: number; readonly cols: number } {
  const members = groupBy(labels.keys(), (i) => labels[i]);
  const out = data.slice() as Data;
  const mean = new Float64Array(cols);
  for (const own of members.values()) {
    mean.fill(0);
    for (const i of own) for (let j = 0; j < cols; j++) mean[j] += data[i * cols + j] / own.length;
    for (const i of own) for (let j = 0; j < cols; j++) out[i * cols + j] -= mean[j];
  }
  return { data: out, rows, cols };
}

function standardised(y: Float64Array): Float64Array {
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  const square = y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return y.map((value) => (value - mean) * Math.sqrt((y.length - 1) / square));
}
