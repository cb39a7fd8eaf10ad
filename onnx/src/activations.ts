import {
  type Diagnostic,
  type Matrix,
  matrix,
  type Progress,
  RatewiseError,
  type RunOptions,
} from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import { firstNonFinite, multiplyTranspose } from "@ratewise/core/linalg";
import { kernelOutputs } from "@ratewise/core/network";
import { drive } from "@ratewise/core/run";
import { evaluate, targetOf } from "./derivative.ts";
import { importLayers } from "./import-layers.ts";
import { rowShape } from "./input-layout.ts";
import { elementTypes } from "./model.ts";
import type { OnnxNetwork } from "./network.ts";
import { compile } from "./program.ts";
import { openSession } from "./runtime.ts";
import { type Tensor, tensor } from "./tensor.ts";

/** What a network makes of some rows. */
export interface Activations {
  /** The last hidden layer, n×l. */
  readonly hidden: Matrix;
  /** f before the link, n×outputs. */
  readonly functions: Matrix;
  /**
   * `onnxruntime-web`; `kernels`, core's, for chains of layers with convolutions, which they run faster; or `own` operators
   * in double precision where the runtime does not take the network.
   */
  readonly by: "onnxruntime-web" | "kernels" | "own";
  readonly diagnostics: readonly Diagnostic[];
}

export interface ActivationOptions extends RunOptions {
  /** The shape of a row, where the data has one of its own: 1, 18, 18 for instance. */
  readonly rowShape?: readonly number[];
}

/** Rows that go through the network together, and the numbers they may have. */
const MOST_ROWS = 1024;
const MOST_NUMBERS = 2 ** 22;

/**
 * Runs the rows through the network in blocks, and keeps the last hidden layer and f. Networks for a fixed number of
 * rows get that many, the last block filled up with its last row. One thread, single precision unless the network has double.
 */
export async function activations(
  network: OnnxNetwork,
  X: Matrix,
  options: ActivationOptions = {},
): Promise<Activations> {
  const shape = rowShape(network.layout, X.cols, options.rowShape);
  checkRows(X);
  const fast = await byKernels(network, X, shape, options);
  if (fast) return fast;
  const names = [network.detected.hidden, network.detected.functionTensor];
  let session: Awaited<ReturnType<typeof openSession>>;
  try {
    session = await openSession(
      network,
      names.filter((name) => name !== network.detected.input.name),
    );
  } catch (error) {
    if (!(error instanceof RatewiseError)) throw error;
    // A runtime that is not installed is asked for: the digits are not to depend on what is installed.
    if (error.code === "engine" || !canRun(network)) throw error;
    return { ...(await byOwnOperators(network, X, shape, options)), diagnostics: [note(error)] };
  }
  try {
    const { input } = network.detected;
    const gathered = gatherer(X.rows);
    const { onProgress, signal } = options;
    for (const { x, start, rows } of blocks(network, X, shape)) {
      signal?.throwIfAborted();
      const made = await session.run(
        x,
        names.filter((name) => name !== input.name),
      );
      let at = 0;
      gathered.add(
        start,
        rows,
        names.map((name) => (name === input.name ? x : made[at++])),
      );
      onProgress?.({ phase: "hidden activations", done: start + rows, total: X.rows });
    }
    const [hidden, functions] = gathered.matrices();
    return { hidden, functions, by: "onnxruntime-web", diagnostics: [] };
  } finally {
    await session.close();
  }
}

/** Rows on which layers that were imported are held to the graph, and how close they have to be. */
const TRIED_ROWS = 4;
const CLOSE = 1e-4;

/** By core's kernels, where the network is a chain of their layers; null where it is not, or does not give the same. */
async function byKernels(
  { model, files, detected, layout }: OnnxNetwork,
  X: Matrix,
  shape: readonly number[],
  run: RunOptions,
): Promise<Activations | null> {
  const { lastLayer, input } = detected;
  const single = input.type !== elementTypes.double;
  if (!lastLayer || layout.batch !== null || !single) return null;
  const { program } = compile(model, files, input.name, detected.hidden);
  if (!program) return null;
  const tried = Math.min(TRIED_ROWS, X.rows);
  const rows = tensor([tried, ...shape], X.data.subarray(0, tried * X.cols));
  const layers = importLayers(program, rows);
  if (!layers) return null;
  const { signal, onProgress } = run;
  const hidden = await kernelOutputs(layers.network, turned(X, layers.columns), {
    ...(signal && { signal }),
    onProgress: (event) => onProgress?.({ ...event, phase: "hidden activations" }),
  });
  const expected = targetOf(program, evaluate(program, rows)).data;
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  if (expected.length !== tried * hidden.cols || lastLayer.weights.cols !== hidden.cols)
    return null;
  if (!expected.every((value, e) => Math.abs(value - hidden.data[e]) <= CLOSE * largest))
    return null;
  const functions = multiplyTranspose(hidden, lastLayer.weights);
  for (let e = 0; e < functions.data.length; e++)
    functions.data[e] += lastLayer.bias[e % functions.cols];
  return { hidden, functions, by: "kernels", diagnostics: [] };
}

/** X with its columns in another order. */
function turned(X: Matrix, columns: Uint32Array | null): Matrix {
  if (!columns) return X;
  const out = matrix(X.rows, X.cols);
  for (let i = 0; i < X.rows; i++)
    for (let j = 0; j < X.cols; j++) out.data[i * X.cols + j] = X.data[i * X.cols + columns[j]];
  return out;
}

function canRun({ program, detected: { hidden, input } }: OnnxNetwork): boolean {
  return (
    program !== null &&
    (hidden === input.name || program.steps.some(({ node }) => node.outputs[0] === hidden))
  );
}

async function byOwnOperators(
  network: OnnxNetwork,
  X: Matrix,
  shape: readonly number[],
  run: RunOptions,
): Promise<Omit<Activations, "diagnostics">> {
  const { hidden, functionTensor } = network.detected;
  const program = network.program!;
  function* steps(): Generator<Progress, Matrix[]> {
    const gathered = gatherer(X.rows);
    for (const { x, start, rows } of blocks(network, X, shape)) {
      const values = evaluate(program, x);
      gathered.add(start, rows, [values.get(hidden)!, values.get(functionTensor)!]);
      yield { phase: "hidden activations", done: start + rows, total: X.rows };
    }
    return gathered.matrices();
  }
  const [H, F] = await drive(steps(), run);
  return { hidden: H, functions: F, by: "own" };
}

interface Block {
  readonly x: Tensor;
  readonly start: number;
  /** Rows of X in it; the block may be longer. */
  readonly rows: number;
}

/** The rows in blocks of the shape that the network takes. */
export function* blocks(
  { layout }: OnnxNetwork,
  X: Matrix,
  shape: readonly number[],
  most: number = MOST_ROWS,
): Generator<Block> {
  const size =
    layout.batch ?? Math.max(1, Math.min(most, X.rows, Math.floor(MOST_NUMBERS / X.cols)));
  for (let start = 0; start < X.rows; start += size) {
    const rows = Math.min(size, X.rows - start);
    const own = X.data.subarray(start * X.cols, (start + rows) * X.cols);
    if (layout.batch === null || rows === size) {
      yield { x: tensor([rows, ...shape], own), start, rows };
      continue;
    }
    const filled = new Float64Array(size * X.cols);
    filled.set(own);
    for (let i = rows; i < size; i++) filled.set(own.subarray((rows - 1) * X.cols), i * X.cols);
    yield { x: tensor([size, ...shape], filled), start, rows };
  }
}

/** Tensors of blocks of rows, put together as matrices of n rows. */
function gatherer(n: number) {
  const out: Matrix[] = [];
  return {
    add: (start: number, rows: number, parts: readonly Tensor[]): void => {
      parts.forEach((part, k) => {
        const batch = part.dims[0] ?? 1;
        const width = part.data.length / Math.max(1, Math.max(batch, rows));
        if (!Number.isInteger(width) || width < 1)
          throw new RatewiseError("shape", {
            what: `needs a tensor with a row for each of ${rows} rows, got (${part.dims.join(", ")})`,
          });
        out[k] ??= matrix(n, width);
        out[k].data.set(part.data.subarray(0, rows * width), start * width);
      });
    },
    matrices: (): Matrix[] => out,
  };
}

/** Throws unless there are rows, of finite numbers. */
export function checkRows({ data, cols, rows }: Matrix): void {
  if (rows === 0) throw new RatewiseError("shape", { what: "needs at least one row, got none" });
  const bad = firstNonFinite(data);
  if (bad >= 0)
    throw new RatewiseError("domain", {
      what: `needs finite inputs, got ${data[bad]} in row ${Math.floor(bad / cols)}, column ${bad % cols} (counted from 0)`,
      advice: "fill or drop missing values first",
    });
}

function note(error: RatewiseError): Diagnostic {
  return diagnostic(
    "own-operators",
    `The network was run by ratewise's own operators in double precision: ${error.message}.`,
  );
}
