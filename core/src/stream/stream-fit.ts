import { openScratch } from "#host";
import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { type AdamState, adamState } from "../network/adam.ts";
import { initialParameters } from "../network/initialise.ts";
import { layoutOf } from "../network/layout.ts";
import type { Network } from "../network/network.ts";
import { responseScale, scaleOutputInPlace } from "../network/response-scale.ts";
import { fold, normals, permutation } from "../random/index.ts";
import { type BatchStore, batchStore } from "./batch-store.ts";
import type { BlockSource } from "./block-source.ts";
import type { ColumnScales } from "./column-scales.ts";
import { directScores } from "./direct-scores.ts";
import { firstLayer, type MomentsState } from "./first-layer.ts";
import { type FitState, trainEpoch, validate } from "./fit-batch.ts";
import {
  composeBatches,
  type FitSettings,
  firstLayerRate,
  fitSettings,
  START_STEPS,
  type StreamFitOptions,
} from "./fit-settings.ts";
import { heldOutOf, type StreamHeldOut } from "./held-out.ts";
import {
  numbersOfState,
  restoreState,
  type StreamEpoch,
  standingAtFirst,
} from "./training-standing.ts";

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
 * With `keep`, a training that was stopped goes on after an epoch that is over, to the same bytes; X is arranged anew.
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
  const { architecture, key, units, penalties, epochs, patience, keep, run } = settings;
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
  const adam = adamState(head.length);
  const { moments } = layer;
  const standing = standingAtFirst(penalties[0]);
  const { history } = standing;
  const best = theta.slice();
  const small = { standing, head, adam, moments };
  const arrays = [theta, moments.first, moments.second, best];
  try {
    const numbers = (await keep?.take(arrays)) ?? null;
    if (numbers) {
      restoreState(small, numbers);
      run.onProgress?.({ phase: "train", done: standing.at * epochs + standing.epoch, total });
    }
    for (; standing.at < penalties.length; standing.at++) {
      const { at } = standing;
      const penalty = penalties[at];
      if (standing.epoch === 0) forget(adam, moments);
      while (standing.epoch < epochs && standing.since < patience) {
        const { epoch } = standing;
        const order = permutation(fold(key, "epoch", at, epoch), trained);
        const options = { ...settings, firstRate, adam, penalty, rows: trainingRows.length };
        const sum = await trainEpoch(state, order, standing.step, options, (batches) =>
          run.onProgress?.({
            phase: "train",
            done: at * epochs + epoch + batches / trained,
            total,
          }),
        );
        standing.step += trained;
        const trainingLoss = sum / trainingRows.length;
        const validationLoss = await validate(state, validation, validationRows);
        history.push({ penalty, trainingLoss, validationLoss });
        if (!Number.isFinite(trainingLoss) || !Number.isFinite(validationLoss)) throw diverged();
        standing.epoch++;
        standing.since++;
        if (validationLoss < standing.bestHere) {
          standing.bestHere = validationLoss;
          standing.since = 0;
        }
        if (validationLoss < standing.score) {
          theta.set(head, headStart);
          best.set(theta);
          Object.assign(standing, { score: validationLoss, penalty });
        }
        await keep?.put({ numbers: numbersOfState(small), arrays, epochs: history.length });
      }
      run.onProgress?.({ phase: "train", done: (at + 1) * epochs, total });
      Object.assign(standing, { epoch: 0, since: 0, bestHere: Number.POSITIVE_INFINITY });
    }
    theta.set(best);
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
      penalty: standing.penalty,
      score: standing.score,
      history,
      validationRows,
      heldOut,
    };
  } finally {
    layer.close();
  }
}

function forget(...every: readonly (AdamState | MomentsState)[]): void {
  for (const moments of every) {
    moments.first.fill(0);
    moments.second.fill(0);
    moments.steps = 0;
  }
}

function diverged(): RatewiseError {
  return new RatewiseError("not-converged", {
    in: "streamFit",
    what: "needs a finite loss, got NaN",
    advice: "lower learningRate",
  });
}
