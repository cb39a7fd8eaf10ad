import { type AdamState, adamStepInPlace } from "../network/adam.ts";
import type { Layout } from "../network/layout.ts";
import { lossAndGradient } from "../network/loss.ts";
import { meanOutput } from "../network/output.ts";
import { stageForward } from "../network/stages.ts";
import { meanLoss } from "../network/validation-score.ts";
import type { Key } from "../random/index.ts";
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

export interface BatchOptions {
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
export async function trainBatch(
  { head, layout, layer, target, store }: FitState,
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

/** Mean loss of the rows held back, at the posterior mean. */
export async function validate(
  { head, layout, layer, target, store }: FitState,
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
