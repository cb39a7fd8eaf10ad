import { type AdamState, adamStepInPlace } from "../network/adam.ts";
import { headHidden, headLoss } from "../network/dense-head.ts";
import type { Layout } from "../network/layout.ts";
import { meanOutput } from "../network/output.ts";
import { meanLoss } from "../network/validation-score.ts";
import { fold, type Key } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import type { BatchStore } from "./batch-store.ts";
import type { FirstLayer } from "./first-layer.ts";

/** The parameters in one array, W and b of the first layer before the head's; and the head's in double precision. */
export interface FitState {
  readonly theta: Float32Array;
  readonly head: Float64Array;
  readonly layout: Layout;
  readonly layer: FirstLayer;
  readonly target: Float64Array;
  readonly store: BatchStore;
}

export interface EpochOptions {
  readonly adam: AdamState;
  readonly penalty: number;
  readonly learningRate: number;
  /** Of the first layer. */
  readonly firstRate: number;
  /** N in KL/N. */
  readonly rows: number;
  readonly key: Key;
  readonly run: RunOptions;
}

/** One epoch, whose first step is the `step`th of all; `onBatch` counts its batches. @returns the sum of loss × rows. */
export async function trainEpoch(
  state: FitState,
  order: Uint32Array,
  step: number,
  options: EpochOptions,
  onBatch: (batches: number) => void,
): Promise<number> {
  const { key, run } = options;
  let sum = 0;
  for (let s = 0; s < order.length; s++) {
    run.signal?.throwIfAborted();
    const following = s + 1 < order.length ? order[s + 1] : null;
    const noise = { key: fold(key, "noise"), step: step + s };
    sum += await trainBatch(state, order[s], { ...options, noise, following });
    onBatch(s + 1);
  }
  return sum;
}

interface BatchOptions extends EpochOptions {
  readonly noise: { readonly key: Key; readonly step: number };
  /** The batch that comes next. */
  readonly following: number | null;
}

/** One step of all parameters. @returns loss × rows. */
async function trainBatch(
  { head, layout, layer, target, store }: FitState,
  batch: number,
  { adam, penalty, learningRate, firstRate, noise, following, rows: totalRows }: BatchOptions,
): Promise<number> {
  const members = store.batches[batch];
  const z = await layer.forward(batch);
  if (following !== null) layer.prefetch(following);
  const X = afterRelu(z);
  const { loss, gradient, slopes } = headLoss(
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

/** What the head takes, from the first layer's sums. */
function afterRelu(z: Float32Array): Float64Array {
  return Float64Array.from(z, (value) => Math.max(0, value));
}

/** Mean loss of the rows held back, at the posterior mean. */
export async function validate(
  { head, layout, layer, target, store }: FitState,
  batches: readonly number[],
  rows: Uint32Array,
): Promise<number> {
  const f = new Float64Array(target.length * layout.outputs);
  for (const batch of batches) {
    const members = store.batches[batch];
    const X = afterRelu(await layer.forward(batch));
    const H = headHidden(layout, head, X, members.length);
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
