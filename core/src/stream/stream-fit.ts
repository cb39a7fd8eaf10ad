import { openScratch } from "#host";
import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { adamState } from "../network/adam.ts";
import { initialParameters } from "../network/initialise.ts";
import { layoutOf } from "../network/layout.ts";
import type { Network } from "../network/network.ts";
import { responseScale, scaleOutputInPlace } from "../network/response-scale.ts";
import { fold, normals, permutation } from "../random/index.ts";
import { type BatchStore, batchStore } from "./batch-store.ts";
import type { BlockSource } from "./block-source.ts";
import type { ColumnScales } from "./column-scales.ts";
import { directScores } from "./direct-scores.ts";
import { firstLayer } from "./first-layer.ts";
import { type FitState, trainBatch, validate } from "./fit-batch.ts";
import {
  composeBatches,
  type FitSettings,
  firstLayerRate,
  fitSettings,
  START_STEPS,
  type StreamFitOptions,
} from "./fit-settings.ts";
import { heldOutOf, type StreamHeldOut } from "./held-out.ts";

export interface StreamEpoch {
  readonly penalty: number;
  readonly trainingLoss: number;
  /** Mean loss of the rows held back, in units of the response's variance. */
  readonly validationLoss: number;
}

export interface StreamFit {
  /** Of standardised inputs: (x − mean)·scale; f in the units of the response. */
  readonly network: Network;
  readonly scales: ColumnScales;
  /** The last hidden layer of every row, n×l. */
  readonly hidden: Matrix;
  /** Var(x_j)·mean over training rows of (∂f/∂x_j)², summed over outputs: what the network itself uses. */
  readonly direct: Float64Array;
  readonly penalty: number;
  readonly score: number;
  readonly history: readonly StreamEpoch[];
  readonly validationRows: Uint32Array;
  readonly heldOut: StreamHeldOut;
}

/**
 * Trains a network with a variational output layer on an X that is never in memory whole, nor expanded: batches of rows are composed
 * once, written in the file's own bits (two a genotype) to scratch room, and read one ahead of the steps, in another order every epoch.
 * The first layer is trained by Adam with the input penalty's proximal step, column by column as its gradient arises;
 * what comes after it is small and trained as `fit` does it. Memory: four arrays of p·units numbers of 4 bytes, and two batches.
 */
export async function streamFit(
  source: BlockSource,
  y: Float64Array,
  options: StreamFitOptions,
): Promise<StreamFit> {
  const settings = fitSettings(source, y, options);
  const { validationRows, batches, trained } = composeBatches(source.rows, settings);
  const store = await batchStore(source, {
    ...settings.run,
    plan: options.plan,
    batches,
    trained,
    scratch: options.scratch ?? ((size) => openScratch(size)),
  });
  try {
    return await train(store, trained, y, validationRows, settings);
  } finally {
    await store.close();
  }
}

async function train(
  store: BatchStore,
  trained: number,
  y: Float64Array,
  validationRows: Uint32Array,
  settings: FitSettings,
): Promise<StreamFit> {
  const { architecture, key, units, penalties, epochs, patience, run } = settings;
  const whole = layoutOf(architecture);
  const layout = layoutOf(settings.head);
  const trainingRows = Uint32Array.from(store.batches.slice(0, trained).flatMap((b) => [...b]));
  const scale = responseScale(layout, y, trainingRows);
  const target = y.map((value) => (value - scale.centre) / scale.spread);
  const theta = new Float32Array(whole.size);
  const next = normals(fold(key, "initial", 0));
  const firstRate = firstLayerRate(settings, store.columns);
  const spread = Math.min(Math.sqrt(2 / store.columns), START_STEPS * firstRate);
  for (let e = 0; e < store.columns * units; e++) theta[e] = next() * spread;
  const headStart = whole.size - layout.size;
  const head = initialParameters(settings.head, fold(key, "initial", 1), "glorot");
  const layer = firstLayer(store, units, theta);
  const state: FitState = { theta, head, layout, layer, target, store };
  const validation = store.batches.map((_, b) => b).slice(trained);
  const total = penalties.length * epochs;
  const history: StreamEpoch[] = [];
  let best = { score: Number.POSITIVE_INFINITY, penalty: penalties[0], theta: theta.slice() };
  const keepBest = (score: number, penalty: number): void => {
    theta.set(head, headStart);
    best.theta.set(theta);
    best = { score, penalty, theta: best.theta };
  };
  try {
    let step = 0;
    for (let at = 0; at < penalties.length; at++) {
      const penalty = penalties[at];
      layer.reset();
      const adam = adamState(head.length);
      let bestHere = Number.POSITIVE_INFINITY;
      for (let epoch = 0, since = 0; epoch < epochs && since < patience; epoch++, since++) {
        const order = permutation(fold(key, "epoch", at, epoch), trained);
        let sum = 0;
        for (let s = 0; s < trained; s++) {
          run.signal?.throwIfAborted();
          const following = s + 1 < trained ? order[s + 1] : null;
          const noise = { key: fold(key, "noise"), step: step++ };
          const options = {
            firstRate,
            ...settings,
            adam,
            penalty,
            noise,
            following,
            rows: trainingRows.length,
          };
          sum += await trainBatch(state, order[s], options);
          const done = at * epochs + epoch + (s + 1) / trained;
          run.onProgress?.({ phase: "train", done, total });
        }
        const trainingLoss = sum / trainingRows.length;
        const validationLoss = await validate(state, validation, validationRows);
        history.push({ penalty, trainingLoss, validationLoss });
        if (!Number.isFinite(trainingLoss) || !Number.isFinite(validationLoss)) throw diverged();
        if (validationLoss < bestHere) {
          bestHere = validationLoss;
          since = -1;
        }
        if (validationLoss < best.score) keepBest(validationLoss, penalty);
      }
      run.onProgress?.({ phase: "train", done: (at + 1) * epochs, total });
    }
    theta.set(best.theta);
    head.set(theta.subarray(headStart));
    const hidden = matrix(y.length, layout.hidden);
    const direct = await directScores(state, units, trained, hidden);
    const heldOut = heldOutOf(layout, head, hidden, target, validationRows, trainingRows);
    const inUnits = Float64Array.from(theta.subarray(headStart));
    scaleOutputInPlace(layout, inUnits, scale);
    theta.set(inUnits, headStart);
    return {
      network: { kind: "network", architecture, parameters: theta },
      scales: store.scales,
      hidden,
      direct: direct.map((score) => score * scale.spread ** 2),
      penalty: best.penalty,
      score: best.score,
      history,
      validationRows,
      heldOut,
    };
  } finally {
    layer.close();
  }
}

function diverged(): RatewiseError {
  return new RatewiseError(
    "not-converged",
    "streamFit: needs a finite loss, got NaN; lower learningRate",
  );
}
