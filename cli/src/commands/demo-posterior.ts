import { type EffectSizes, fold, type Key, type Matrix, matrix, normals } from "@ratewise/core";
import { effectSizes, residualNoiseVariance } from "@ratewise/core/effects";
import * as elementary from "@ratewise/core/elementary";
import {
  cholesky,
  choleskyInverse,
  gram,
  multiply,
  multiplyVector,
  transposeMultiplyVector,
} from "@ratewise/core/linalg";
import { normalInto } from "@ratewise/core/random";

/** What a variable of the demonstration is in truth. */
export type Role = "cause" | "stand-in" | "bystander";

export interface Demonstration {
  readonly effects: EffectSizes;
  readonly roles: readonly Role[];
}

const ROWS = 500;
const HIDDEN = 8;
/** y = 1·A − 0.8·B + 0.6·C + noise of variance 1. */
const weights = [1, -0.8, 0.6];
const causes = ["A", "B", "C"];
const BYSTANDERS = 6;
/** Correlation of a stand-in with its cause. */
const LIKENESS = 0.7;

/**
 * A small problem whose answer is known: three causes of a response, a correlated stand-in for each, which does
 * nothing itself, and bystanders. A layer of hidden units that lean towards the causes, as those of a
 * trained network do, with a conjugate Gaussian output layer on top, N(m, V):
 *
 *     V = (I + HᵀH/τ²)⁻¹,  m = V Hᵀy/τ²     (H and y centred, τ² = 1)
 *
 * projected onto the columns by covariance.
 */
export function demonstrate(key: Key): Demonstration {
  const roles = [
    ...causes.map((): Role => "cause"),
    ...causes.map((): Role => "stand-in"),
    ...Array.from({ length: BYSTANDERS }, (): Role => "bystander"),
  ];
  const names = [
    ...causes.map((cause) => `cause ${cause}`),
    ...causes.map((cause) => `stand-in for ${cause}`),
    ...Array.from({ length: BYSTANDERS }, (_, i) => `bystander ${i + 1}`),
  ];
  const X = columns(fold(key, "columns"), names.length);
  const y = response(fold(key, "response"), X);
  const H = hiddenUnits(fold(key, "hidden"), X);
  const precision = gram(H);
  for (let k = 0; k < HIDDEN; k++) precision.data[k * HIDDEN + k] += 1;
  const covariance = choleskyInverse(cholesky(precision));
  const mean = multiplyVector(covariance, transposeMultiplyVector(H, y));
  const noiseVariance = residualNoiseVariance(y, multiplyVector(H, mean));
  return { roles, effects: effectSizes(X, H, { mean, covariance }, { names, noiseVariance }) };
}

function columns(key: Key, p: number): Matrix {
  const X = matrix(ROWS, p);
  normalInto(X.data, key);
  for (let i = 0; i < ROWS; i++)
    for (let c = 0; c < causes.length; c++) {
      const at = i * p + causes.length + c;
      X.data[at] = LIKENESS * X.data[i * p + c] + Math.sqrt(1 - LIKENESS ** 2) * X.data[at];
    }
  return X;
}

function response(key: Key, X: Matrix): Float64Array {
  const next = normals(key);
  const y = Float64Array.from({ length: X.rows }, (_, i) =>
    weights.reduce((sum, weight, c) => sum + weight * X.data[i * X.cols + c], next()),
  );
  const centre = y.reduce((sum, value) => sum + value, 0) / y.length;
  return y.map((value) => value - centre);
}

/** tanh of random directions, in which the causes weigh five times as much as the rest; centred. */
function hiddenUnits(key: Key, X: Matrix): Matrix {
  const W = matrix(X.cols, HIDDEN);
  normalInto(W.data, key);
  for (let e = 0; e < W.data.length; e++) W.data[e] *= e < causes.length * HIDDEN ? 0.5 : 0.1;
  const H = multiply(X, W);
  for (let k = 0; k < HIDDEN; k++) {
    let sum = 0;
    for (let e = k; e < H.data.length; e += HIDDEN) sum += H.data[e] = elementary.tanh(H.data[e]);
    for (let e = k; e < H.data.length; e += HIDDEN) H.data[e] -= sum / H.rows;
  }
  return H;
}
