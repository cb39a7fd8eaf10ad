import {
  fold,
  keyFromSeed,
  type Matrix,
  matrix,
  RatewiseError,
  type RunOptions,
} from "@ratewise/core";
import { readNpy } from "@ratewise/core/data";
import { type LastLayerRefit, refitLastLayer } from "@ratewise/core/posterior";
import {
  type BlockSource,
  finiteRows,
  type KeptEpochs,
  planStream,
  type StreamHeldOut,
  streamFit,
} from "@ratewise/core/stream";
import { readBytes, within } from "@ratewise/files";
import { openNetworkFile } from "../../input/network-file.ts";
import type { Io } from "../../io.ts";
import type { HiddenFrom, Training } from "./hidden-from.ts";
import { type KeptTraining, numbersOf, type Trained, trainingOf } from "./kept-training.ts";
import type { StreamResponse } from "./response.ts";

export interface HiddenLayer {
  readonly hidden: Matrix;
  readonly refit: LastLayerRefit;
  /** Mean squared gradients of the inputs, where a network was trained here. */
  readonly direct: Float64Array | null;
  /** How well that network does on rows held back from training. */
  readonly heldOut: StreamHeldOut | null;
  /** Whether it, or its training in part, was kept by a run before. */
  readonly resumed: boolean;
  /** What to record about it. */
  readonly about: Readonly<Record<string, unknown>>;
}

export interface HiddenOptions extends RunOptions {
  readonly seed: number;
  readonly memory: number;
  /** Where training and what comes of it are kept for --resume. */
  readonly keep?: KeptTraining;
}

/** Of a network that was not trained here. */
const ELSEWHERE = { direct: null, heldOut: null, resumed: false } as const;

/** The width of the last hidden layer, before there is one; null where only running the network tells. */
export async function hiddenWidth(from: HiddenFrom, io: Io): Promise<number | null> {
  if (from.kind === "train") return from.units.at(-1)!;
  if (from.kind === "activations") return (await readActivations(from.path, io)).cols;
  const network = await openNetworkFile(from.path, io);
  return network.detected.lastLayer?.weights.cols ?? null;
}

/** H of all rows, and the Gaussian weights of the last layer over it. */
export async function hiddenLayer(
  from: HiddenFrom,
  source: BlockSource,
  response: StreamResponse | null,
  options: HiddenOptions,
  io: Io,
): Promise<HiddenLayer> {
  switch (from.kind) {
    case "activations": {
      const hidden = pick(await readActivations(from.path, io), response, source.rows, from.path);
      return {
        hidden,
        refit: refitOf(hidden, response),
        ...{ ...ELSEWHERE, about: { kind: "activations" } },
      };
    }
    case "onnx":
      return fromNetwork(from.path, source, response, options, io);
    case "train":
      return fromTraining(from, source, response, options, io);
    default:
      return from satisfies never;
  }
}

async function readActivations(path: string, io: Io): Promise<Matrix> {
  const { bytes } = await readBytes(path, io);
  const { shape, data } = within(path, () => readNpy(bytes));
  if (shape.length !== 2 || !ArrayBuffer.isView(data))
    throw new RatewiseError("shape", {
      at: path,
      what: `needs numbers, rows × units, got shape (${shape.join(", ")})`,
    });
  return finite(matrix(shape[0], shape[1], Float64Array.from(data)), path, "numbers");
}

/** @throws `domain` with the place of the first number that is none. */
function finite(H: Matrix, where: string, what: string): Matrix {
  const at = H.data.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return H;
  const [row, unit] = [Math.floor(at / H.cols), at % H.cols];
  throw new RatewiseError("domain", {
    at: where,
    what: `needs finite ${what}, got ${H.data[at]} in row ${row}, unit ${unit} (counted from 0)`,
    row,
    unit,
  });
}

/**
 * The rows that have a response, of a file that has all rows of X or just these.
 * @throws `shape` for any other number: rows would be given to the wrong samples.
 */
function pick(H: Matrix, response: StreamResponse | null, rows: number, where: string): Matrix {
  if (H.rows === rows) return H;
  const kept = response?.rows;
  if (!kept || H.rows !== response.fileRows) {
    const wanted = kept
      ? `${response.fileRows} rows, as X has, or the ${rows} of them with a response`
      : `${rows} rows, as X has`;
    throw new RatewiseError("shape", { at: where, what: `needs ${wanted}, got ${H.rows}` });
  }
  const out = matrix(kept.length, H.cols);
  for (const [i, row] of kept.entries())
    out.data.set(H.data.subarray(row * H.cols, (row + 1) * H.cols), i * H.cols);
  return out;
}

/** The last layer's weights by their evidence, as `--plan` times it too. */
export function refitOf(
  hidden: Matrix,
  response: Pick<StreamResponse, "link" | "values" | "classes"> | null,
): LastLayerRefit {
  if (!response)
    throw new RatewiseError("usage", {
      at: "stream",
      what: "needs a response, --target, or --pheno and --trait",
    });
  const { link, values, classes } = response;
  return refitLastLayer(hidden, values, {
    link,
    ...(link === "softmax" && { classes: classes!.length }),
    around: "mode",
    bias: "integrated",
  });
}

async function fromNetwork(
  path: string,
  source: BlockSource,
  response: StreamResponse | null,
  { signal, onProgress }: HiddenOptions,
  io: Io,
): Promise<HiddenLayer> {
  const network = await openNetworkFile(path, io);
  const { streamActivations } = await import("@ratewise/onnx");
  const { hidden, functions } = await streamActivations(network, finiteRows(source), {
    where: path,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  finite(hidden, path, "values of its last hidden layer");
  const { lastLayer } = network.detected;
  const about = { kind: "onnx", hidden: network.detected.hidden, link: network.detected.link };
  if (response) return { ...ELSEWHERE, hidden, refit: refitOf(hidden, response), about };
  if (!lastLayer || network.detected.link === "identity")
    throw new RatewiseError("usage", {
      at: "stream",
      what: "needs --target to refit the last layer of a network that gives numbers",
    });
  const outputs = functions.cols;
  const link = outputs === 1 ? "logistic" : "softmax";
  const refit = refitLastLayer(hidden, null, {
    link,
    ...(link === "softmax" && { classes: outputs }),
    network: lastLayer,
    around: "network",
  });
  return { ...ELSEWHERE, hidden, refit, about };
}

async function fromTraining(
  from: Training,
  source: BlockSource,
  response: StreamResponse | null,
  { seed, memory, keep, signal, onProgress }: HiddenOptions,
  io: Io,
): Promise<HiddenLayer> {
  if (!response)
    throw new RatewiseError("usage", {
      at: "stream",
      what: "needs a response to train on, --target, or --pheno and --trait",
    });
  const shape = { rows: source.rows, columns: source.columns, width: from.units.at(-1)! };
  const found = keep ? trainingOf(await keep.blocks.get(keep.id), shape) : null;
  if (found) io.err("ratewise: --resume: found the trained network");
  const { hidden, direct, penalty, score, epochs, heldOut } =
    found ??
    (await train(from, source, response, {
      ...{ seed, memory },
      ...(keep && { epochs: sayingEpochs(keep, io) }),
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    }));
  if (keep && !found) {
    const numbers = numbersOf({ hidden, direct, penalty, score, epochs, heldOut });
    await keep.blocks.put(keep.id, numbers);
    await keep.epochs.discard();
  }
  return {
    ...{ hidden, refit: refitOf(hidden, response), direct, heldOut },
    resumed: found !== null || (keep?.epochs.wasFound() ?? false),
    about: {
      ...{ kind: "trained", layers: from.units, penalty, validationLoss: score, epochs, heldOut },
    },
  };
}

/** Says where a training that was stopped is gone on from. */
function sayingEpochs({ epochs }: KeptTraining, io: Io): KeptEpochs {
  return {
    put: epochs.put,
    take: async (arrays) => {
      const numbers = await epochs.take(arrays);
      if (numbers) io.err(`ratewise: --resume: continuing training after epoch ${epochs.epochs()}`);
      return numbers;
    },
  };
}

/** One training, as `--plan` tries it too. */
export async function train(
  { units, penalties, epochs, batchSize }: Training,
  source: BlockSource,
  { link, values, classes }: Pick<StreamResponse, "link" | "values" | "classes">,
  {
    seed,
    memory,
    epochs: keep,
    signal,
    onProgress,
  }: Omit<HiddenOptions, "keep"> & { readonly epochs?: KeptEpochs },
): Promise<Trained> {
  const plan = planStream(source, { width: 1, memory, by: "columns" });
  const { hidden, direct, penalty, score, history, heldOut } = await streamFit(source, values, {
    ...{ plan, hidden: units, link, key: fold(keyFromSeed(seed), "stream") },
    ...(link === "softmax" && { classes: classes!.length }),
    ...(penalties && { penalties }),
    ...(epochs !== undefined && { epochs }),
    ...(batchSize !== undefined && { batchSize }),
    ...(keep && { keep }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  return { hidden, direct, penalty, score, epochs: history.length, heldOut };
}
