import { RatewiseError, shapeError } from "../errors.ts";
import type { ScratchBytes } from "../host/byte-source.ts";
import type { Architecture, Link } from "../network/index.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import type { RunOptions } from "../run.ts";
import type { BlockSource } from "./block-source.ts";
import type { KeptEpochs } from "./kept-epochs.ts";
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
  /** Where training is put after its epochs, and gone on from. */
  readonly keep?: KeptEpochs;
  /** Room for X rearranged in batches; default a temporary file. */
  readonly scratch?: (size: number) => Promise<ScratchBytes>;
}

/** The options with their defaults, and the network they ask for: all of it, and the head, what comes after the first layer. */
export interface FitSettings {
  readonly architecture: Architecture;
  readonly head: Architecture;
  /** Of the first layer. */
  readonly units: number;
  readonly key: Key;
  readonly penalties: readonly number[];
  readonly epochs: number;
  readonly patience: number;
  readonly batchSize: number;
  readonly learningRate: number;
  readonly validationFraction: number;
  readonly keep: KeptEpochs | undefined;
  readonly run: RunOptions;
}

export function fitSettings(
  source: BlockSource,
  y: Float64Array,
  options: StreamFitOptions,
): FitSettings {
  const { hidden = [32, 16], link = "identity", classes, key } = options;
  const { penalties = [2, 4], epochs = 20, patience = 5, batchSize = 128 } = options;
  const { learningRate = 1e-3, validationFraction = 0.3, keep, signal, onProgress } = options;
  if (y.length !== source.rows)
    throw shapeError("streamFit", `${source.rows} responses, one per row`, `${y.length}`);
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
    ...{ learningRate, validationFraction, keep, run },
  };
}

/** Rows in random order; those trained on first, then those held back, in batches each. */
export function composeBatches(
  n: number,
  { key, validationFraction, batchSize }: FitSettings,
): {
  readonly validationRows: Uint32Array;
  /** How many of the batches, from the first, are trained on. */
  readonly trained: number;
  readonly batches: readonly Uint32Array[];
} {
  const held = Math.round(validationFraction * n);
  if (n - held < 2 || held < 1)
    throw new RatewiseError("domain", {
      in: "streamFit",
      what: `needs rows to train on and rows to hold back, got ${n - held} and ${held}`,
    });
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

/** First weights are drawn within so many steps, so that the penalty can shrink those away that nothing holds. */
export const START_STEPS = 7;

/**
 * A step of Adam moves every weight by about η whatever its gradient, always in the direction that changes z for the rows of its batch: by some
 * p·η/√r for r rows. Up to a change of 1 it is the rate of the other layers, beyond that √r/p.
 */
export function firstLayerRate({ learningRate, batchSize }: FitSettings, p: number): number {
  return Math.min(learningRate, Math.sqrt(batchSize) / p);
}
