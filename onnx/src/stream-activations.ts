import { type Matrix, matrix, RatewiseError, type RunOptions } from "@ratewise/core";
import { type BlockSource, blockRoom } from "@ratewise/core/stream";
import { checkRows } from "./activations.ts";
import { rowShape } from "./input-layout.ts";
import { naming, type OnnxNetwork } from "./network.ts";
import { openSession } from "./runtime.ts";
import { type Tensor, tensor } from "./tensor.ts";

/** Numbers of a block of rows: a few images of a million pixels, or some thousand rows of a table. */
const MOST_NUMBERS = 2 ** 22;
const MOST_ROWS = 1024;

export interface StreamedActivations {
  /** The last hidden layer, n×l. */
  readonly hidden: Matrix;
  /** f before the link, n×outputs. */
  readonly functions: Matrix;
}

/**
 * As `activations`, for rows that are never in memory all at once: one session of onnxruntime-web, blocks of rows from the source, the
 * next being read while the network runs. Memory: two blocks and n·(l + outputs) numbers.
 */
export function streamActivations(
  network: OnnxNetwork,
  source: BlockSource,
  options: RunOptions & { readonly where?: string } = {},
): Promise<StreamedActivations> {
  return naming("streamActivations", options.where, () => run(network, source, options));
}

async function run(
  network: OnnxNetwork,
  source: BlockSource,
  { signal, onProgress }: RunOptions,
): Promise<StreamedActivations> {
  const { rows: n, columns: p } = source;
  const shape = rowShape(network.layout, p, source.rowShape);
  const { batch } = network.layout;
  const size = batch ?? Math.max(1, Math.min(MOST_ROWS, n, Math.floor(MOST_NUMBERS / p)));
  const { input, hidden, functionTensor } = network.detected;
  const names = [hidden, functionTensor];
  const wanted = names.filter((name) => name !== input.name);
  const rooms = [blockRoom(), blockRoom()];
  const read = (start: number, at: number) => {
    const reading = source.readRows({ start, end: Math.min(n, start + size) }, rooms[at % 2]);
    reading.catch(() => {}); // looked at when its turn comes
    return reading;
  };
  const session = await openSession(network, wanted);
  const made: Matrix[] = [];
  try {
    let next = read(0, 0);
    for (let start = 0, at = 0; start < n; start += size, at++) {
      signal?.throwIfAborted();
      const block = await next;
      if (start + size < n) next = read(start + size, at + 1);
      const x = inputTensor(block.data, block.rows, p, size, batch !== null, shape);
      const outputs = await session.run(x, wanted);
      let used = 0;
      names.forEach((name, k) => {
        gather(made, k, n, start, block.rows, name === input.name ? x : outputs[used++]);
      });
      onProgress?.({ phase: "hidden activations", done: start + block.rows, total: n });
    }
  } finally {
    await session.close();
  }
  return { hidden: made[0], functions: made[1] };
}

/** Networks for a fixed number of rows get that many, the block filled up with its last row. */
function inputTensor(
  data: Float64Array | Float32Array,
  rows: number,
  p: number,
  size: number,
  fixed: boolean,
  shape: readonly number[],
): Tensor {
  const held = fixed ? size : rows;
  const values = new Float64Array(held * p);
  values.set(data);
  checkRows({ data: values.subarray(0, rows * p), rows, cols: p });
  for (let i = rows; i < held; i++) values.copyWithin(i * p, (rows - 1) * p, rows * p);
  return tensor([held, ...shape], values);
}

function gather(
  made: Matrix[],
  k: number,
  n: number,
  start: number,
  rows: number,
  { dims, data }: Tensor,
): void {
  const width = data.length / Math.max(dims[0] ?? 1, rows);
  if (!Number.isInteger(width) || width < 1)
    throw new RatewiseError("shape", {
      what: `needs a tensor with a row for each of ${rows} rows, got (${dims.join(", ")})`,
    });
  made[k] ??= matrix(n, width);
  made[k].data.set(data.subarray(0, rows * width), start * width);
}
