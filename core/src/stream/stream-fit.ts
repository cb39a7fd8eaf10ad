import { openScratch } from "#host";
import { RatewiseError, shapeError } from "../errors.ts";
import type { ScratchBytes } from "../host/byte-source.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { type AdamState, adamState, adamStepInPlace } from "../network/adam.ts";
import type { Architecture, Link } from "../network/index.ts";
import { initialParameters } from "../network/initialise.ts";
import { type Layout, layoutOf } from "../network/layout.ts";
import { lossAndGradient } from "../network/loss.ts";
import type { Network } from "../network/network.ts";
import { meanOutput } from "../network/output.ts";
import { responseScale, scaleOutputInPlace } from "../network/response-scale.ts";
import { stageForward } from "../network/stages.ts";
import { meanLoss } from "../network/validation-score.ts";
import { fold, type Key, normals, permutation } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import { type BatchStore, batchStore } from "./batch-store.ts";
import type { BlockSource } from "./block-source.ts";
import type { ColumnScales } from "./column-scales.ts";
import { directScores } from "./direct-scores.ts";
import { type FirstLayer, firstLayer } from "./first-layer.ts";
import type { StreamPlan } from "./plan.ts";

export interface StreamFitOptions extends RunOptions {
  readonly key: Key;
  /** Blocks of columns that the file is rearranged in: see planStream with by: "columns". */
  readonly plan: Pick<StreamPlan, "blockSize" | "blocks">;
  /** Units of the hidden layers, default 32 and 16. */
  readonly hidden?: readonly number[];
  readonly link?: Link;
  /** Of a softmax. */
  readonly classes?: number;
  /** λ of the input penalty, each started from the one before; the best validation score wins. Default 2, 4. */
  readonly penalties?: readonly number[];
  /** The most epochs for each penalty, default 20. */
  readonly epochs?: number;
  /** Epochs without a better score before training at one penalty stops, default 5. */
  readonly patience?: number;
  /** Rows of a batch, default 128. */
  readonly batchSize?: number;
  /** Of Adam, default 1e-3; the first layer's is lower where p is large. */
  readonly learningRate?: number;
  /** Share of the rows held back for validation, default 0.3. */
  readonly validationFraction?: number;
  /** Room for X rearranged in batches; default a temporary file. */
  readonly scratch?: (size: number) => Promise<ScratchBytes>;
}

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
  const settings = settingsOf(source, y, options);
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

type Settings = ReturnType<typeof settingsOf>;

function settingsOf(source: BlockSource, y: Float64Array, options: StreamFitOptions) {
  const { hidden = [32, 16], link = "identity", classes, key } = options;
  const { penalties = [2, 4], epochs = 20, patience = 5, batchSize = 128 } = options;
  const { learningRate = 1e-3, validationFraction = 0.3, signal, onProgress } = options;
  if (y.length !== source.rows)
    throw shapeError("streamFit", `${source.rows} responses, one a row`, `${y.length}`);
  if (hidden.length === 0 || penalties.length === 0)
    throw shapeError("streamFit", "at least one hidden layer and one penalty", "none");
  const dense = (units: number) => ({ kind: "dense", units, activation: "relu" }) as const;
  const output = { link, ...(link === "softmax" && classes !== undefined && { classes }) };
  const architecture: Architecture = {
    inputs: source.columns,
    layers: hidden.map(dense),
    ...output,
  };
  const head: Architecture = {
    inputs: hidden[0],
    layers: hidden.slice(1).map(dense),
    ...output,
  };
  const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  return {
    ...{ architecture, head, units: hidden[0], key, penalties, epochs, patience, batchSize },
    ...{ learningRate, validationFraction, run },
  };
}

/** Rows in random order; those trained on first, then those held back, in batches each. */
function composeBatches(n: number, { key, validationFraction, batchSize }: Settings) {
  const held = Math.round(validationFraction * n);
  if (n - held < 2 || held < 1)
    throw new RatewiseError(
      "domain",
      `streamFit: needs rows to train on and rows to hold back, got ${n - held} and ${held}`,
    );
  const order = permutation(fold(key, "validation"), n);
  const cut = (rows: Uint32Array): Uint32Array[] =>
    Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, b) =>
      rows.slice(b * batchSize, (b + 1) * batchSize),
    );
  const training = cut(order.slice(held));
  return {
    validationRows: order.slice(0, held).sort(),
    trained: training.length,
    batches: [...training, ...cut(order.slice(0, held))],
  };
}

/** The parameters in one array, W and b of the first layer before the head's; and the head's in double precision. */
interface State {
  readonly theta: Float32Array;
  readonly head: Float64Array;
  readonly layout: Layout;
  readonly layer: FirstLayer;
  readonly target: Float64Array;
  readonly store: BatchStore;
}

async function train(
  store: BatchStore,
  trained: number,
  y: Float64Array,
  validationRows: Uint32Array,
  settings: Settings,
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
  const spread = Math.min(Math.sqrt(2 / store.columns), START * firstRate);
  for (let e = 0; e < store.columns * units; e++) theta[e] = next() * spread;
  const headStart = whole.size - layout.size;
  const head = initialParameters(settings.head, fold(key, "initial", 1), "glorot");
  const layer = firstLayer(store, units, theta);
  const state: State = { theta, head, layout, layer, target, store };
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
    };
  } finally {
    layer.close();
  }
}

interface BatchOptions {
  readonly adam: AdamState;
  readonly penalty: number;
  readonly learningRate: number;
  /** Of the first layer. */
  readonly firstRate: number;
  readonly noise: { readonly key: Key; readonly step: number };
  /** The batch that comes next. */
  readonly following: number | null;
  /** N in KL/N. */
  readonly rows: number;
}

/** One step of all parameters. @returns loss × rows. */
async function trainBatch(
  { head, layout, layer, target, store }: State,
  batch: number,
  { adam, penalty, learningRate, firstRate, noise, following, rows: totalRows }: BatchOptions,
): Promise<number> {
  const members = store.batches[batch];
  const z = await layer.forward(batch);
  if (following !== null) layer.prefetch(following);
  const X = Float64Array.from(z, (value) => Math.max(0, value));
  const { loss, gradient, slopes } = lossAndGradient(
    layout,
    head,
    { X, y: Float64Array.from(members, (row) => target[row]), rows: members.length },
    { priorVariance: 1, totalRows, learnNoise: true },
    noise,
  );
  const back = Float32Array.from(slopes, (slope, e) => (z[e] > 0 ? slope : 0));
  await layer.descend(batch, back, { learningRate: firstRate, penalty });
  adamStepInPlace(head, gradient, adam, { learningRate, clipNorm: Number.POSITIVE_INFINITY });
  return loss * members.length;
}

/** First weights are drawn within so many steps, so that the penalty can shrink those away that nothing holds. */
const START = 7;

/**
 * A step of Adam moves every weight by about η whatever its gradient, always in the direction that changes z for the rows of its batch: by some
 * p·η/√r for r rows. Up to a change of 1 it is the rate of the other layers, beyond that √r/p.
 */
function firstLayerRate({ learningRate, batchSize }: Settings, p: number): number {
  return Math.min(learningRate, Math.sqrt(batchSize) / p);
}

/** The head's last hidden layer from the first layer's z. */
function headHidden(
  layout: Layout,
  head: Float64Array,
  z: Float32Array,
  rows: number,
): Float64Array {
  let H: Float64Array = Float64Array.from(z, (value) => Math.max(0, value));
  layout.stages.forEach((stage, at) => {
    H = stageForward(stage, at, head, H, rows, null).output;
  });
  return H;
}

async function validate(
  { head, layout, layer, target, store }: State,
  batches: readonly number[],
  rows: Uint32Array,
): Promise<number> {
  const f = new Float64Array(target.length * layout.outputs);
  for (const batch of batches) {
    const members = store.batches[batch];
    const H = headHidden(layout, head, await layer.forward(batch), members.length);
    const made = meanOutput(layout, head, H, members.length);
    members.forEach((row, i) => {
      for (let c = 0; c < layout.outputs; c++)
        f[row * layout.outputs + c] = made[i * layout.outputs + c];
    });
  }
  const inOrder = Float64Array.from(
    { length: rows.length * layout.outputs },
    (_, e) => f[rows[Math.floor(e / layout.outputs)] * layout.outputs + (e % layout.outputs)],
  );
  return meanLoss(layout, inOrder, target, rows);
}

function diverged(): RatewiseError {
  return new RatewiseError(
    "not-converged",
    "streamFit: needs a finite loss, got NaN; lower learningRate",
  );
}
