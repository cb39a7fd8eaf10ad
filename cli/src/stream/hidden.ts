import {
  type BlockSource,
  fold,
  keyFromSeed,
  type LastLayerRefit,
  type Matrix,
  matrix,
  planStream,
  RatewiseError,
  type RunOptions,
  readNpy,
  refitLastLayer,
  streamFit,
} from "@ratewise/core";
import { within } from "@ratewise/files";
import type { Io } from "../io.ts";
import { openNetworkFile } from "../network-file.ts";
import { readBytes } from "../posterior/read.ts";
import type { StreamResponse } from "./response.ts";

/** Where the last hidden layer comes from. */
export type HiddenFrom =
  | { readonly kind: "activations"; readonly path: string }
  | { readonly kind: "onnx"; readonly path: string }
  | {
      readonly kind: "train";
      readonly units: readonly number[];
      readonly penalties: readonly number[] | undefined;
      readonly epochs: number | undefined;
      readonly batchSize: number | undefined;
    };

export interface HiddenLayer {
  readonly hidden: Matrix;
  readonly refit: LastLayerRefit;
  /** Mean squared gradients of the inputs, where a network was trained here. */
  readonly direct: Float64Array | null;
  /** What to record about it. */
  readonly about: Readonly<Record<string, unknown>>;
}

export interface HiddenOptions extends RunOptions {
  readonly seed: number;
  readonly memory: number;
}

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
        direct: null,
        about: { kind: "activations" },
      };
    }
    case "onnx":
      return fromNetwork(from.path, source, response, options, io);
    case "train":
      return fromTraining(from, source, response, options);
    default:
      return from satisfies never;
  }
}

async function readActivations(path: string, io: Io): Promise<Matrix> {
  const { bytes } = await readBytes(path, io);
  const { shape, data } = within(path, () => readNpy(bytes));
  if (shape.length !== 2 || !ArrayBuffer.isView(data))
    throw new RatewiseError(
      "shape",
      `${path}: needs numbers, rows × units, got shape (${shape.join(", ")})`,
    );
  return matrix(shape[0], shape[1], Float64Array.from(data));
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
    throw new RatewiseError("shape", `${where}: needs ${wanted}, got ${H.rows}`);
  }
  const out = matrix(kept.length, H.cols);
  for (const [i, row] of kept.entries())
    out.data.set(H.data.subarray(row * H.cols, (row + 1) * H.cols), i * H.cols);
  return out;
}

function refitOf(hidden: Matrix, response: StreamResponse | null): LastLayerRefit {
  if (!response)
    throw new RatewiseError("usage", "stream: needs a response, --target, or --pheno and --trait");
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
  const { hidden, functions } = await streamActivations(network, source, {
    where: path,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  const { lastLayer } = network.detected;
  const about = { kind: "onnx", hidden: network.detected.hidden, link: network.detected.link };
  if (response) return { hidden, refit: refitOf(hidden, response), direct: null, about };
  if (!lastLayer || network.detected.link === "identity")
    throw new RatewiseError(
      "usage",
      "stream: needs --target to refit the last layer of a network that gives numbers",
    );
  const outputs = functions.cols;
  const link = outputs === 1 ? "logistic" : "softmax";
  const refit = refitLastLayer(hidden, null, {
    link,
    ...(link === "softmax" && { classes: outputs }),
    network: lastLayer,
    around: "network",
  });
  return { hidden, refit, direct: null, about };
}

async function fromTraining(
  { units, penalties, epochs, batchSize }: HiddenFrom & { readonly kind: "train" },
  source: BlockSource,
  response: StreamResponse | null,
  { seed, memory, signal, onProgress }: HiddenOptions,
): Promise<HiddenLayer> {
  if (!response)
    throw new RatewiseError(
      "usage",
      "stream: needs a response to train on, --target, or --pheno and --trait",
    );
  const { link, values, classes } = response;
  const plan = planStream(source, { width: 1, memory, by: "columns" });
  const fitted = await streamFit(source, values, {
    ...{ plan, hidden: units, link, key: fold(keyFromSeed(seed), "stream") },
    ...(link === "softmax" && { classes: classes!.length }),
    ...(penalties && { penalties }),
    ...(epochs !== undefined && { epochs }),
    ...(batchSize !== undefined && { batchSize }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  const { hidden, direct, penalty, score, history } = fitted;
  return {
    hidden,
    refit: refitOf(hidden, response),
    direct,
    about: {
      kind: "trained",
      layers: units,
      penalty,
      validationLoss: score,
      epochs: history.length,
    },
  };
}
