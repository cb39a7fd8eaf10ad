import { engine } from "../compute/index.ts";
import { pow } from "../elementary/index.ts";
import { BETA1, BETA2, EPSILON } from "../network/adam.ts";
import type { BatchStore } from "./batch-store.ts";
import { type BlockRoom, type BlockSpan, blockRoom } from "./block-source.ts";
import { readAhead } from "./read-ahead.ts";

/** Columns whose values are held at a time, unpacked. */
const PANEL = 2048;
/** Bytes of a batch that are read at once; a batch that fits is read once a step. */
const SLAB_BYTES = 64 * 2 ** 20;

export interface FirstLayerStep {
  readonly learningRate: number;
  /** λ of the input penalty. */
  readonly penalty: number;
}

/** As AdamState, in single precision. */
export interface MomentsState {
  readonly first: Float32Array;
  readonly second: Float32Array;
  steps: number;
}

/**
 * The first layer of a network, z = XW + b, whose X is read a batch at a time and unpacked a panel of columns at a time. W is p×units;
 * its gradient is used as it arises and is never held. One step of a batch of r rows costs 4·r·p·units operations.
 */
export interface FirstLayer {
  /** z of a batch, rows×units. */
  readonly forward: (batch: number) => Promise<Float32Array>;
  /** Adam and the proximal step of the penalty on W and b, given dL/dz of a batch. */
  readonly descend: (batch: number, slopes: Float32Array, step: FirstLayerStep) => Promise<void>;
  /** dL/dW, for tests: all p×units of it. */
  readonly gradient: (batch: number, slopes: Float32Array) => Promise<Float32Array>;
  /** Begins to read a batch that will be asked for soon. */
  readonly prefetch: (batch: number) => void;
  /** Of the gradient of W and b. */
  readonly moments: MomentsState;
  readonly close: () => void;
}

interface Slot {
  batch: number;
  reading: Promise<Uint8Array> | null;
  readonly room: BlockRoom;
}

/** @param parameters W, then b: changed by every step. */
export function firstLayer(store: BatchStore, units: number, parameters: Float32Array): FirstLayer {
  const p = store.columns;
  const weights = parameters.subarray(0, p * units);
  const bias = parameters.subarray(p * units, (p + 1) * units);
  const [first, second] = [0, 1].map(() => new Float32Array((p + 1) * units));
  const moments: MomentsState = { first, second, steps: 0 };
  const most = Math.max(...store.batches.map(({ length }) => length));
  const space = engine().workspace?.();
  const floats = (length: number): Float32Array =>
    space?.float32(length) ?? new Float32Array(length);
  const panel = floats(PANEL * most);
  const slopePanel = floats(PANEL * units);
  // Batches that fit into one slab: the one in use, which forward and backward share, and the one that comes next.
  const slots: Slot[] = [0, 1].map(() => ({ batch: -1, reading: null, room: blockRoom() }));
  let inUse = slots[0];

  function slotOf(batch: number): Slot {
    const found = slots.find((slot) => slot.batch === batch);
    if (found) return found;
    const slot = slots.find((candidate) => candidate !== inUse)!;
    slot.batch = batch;
    slot.reading = store.read(batch, { start: 0, end: p }, slot.room);
    // Looked at when its turn comes, or never.
    slot.reading.catch(() => {});
    return slot;
  }

  const fitsSlab = (batch: number): boolean => p * store.columnBytes(batch) <= SLAB_BYTES;

  async function eachPanel(
    batch: number,
    visit: (span: BlockSpan, values: Float32Array, rows: number) => void,
  ): Promise<void> {
    const rows = store.batches[batch].length;
    const width = Math.max(1, Math.min(p, Math.floor(SLAB_BYTES / store.columnBytes(batch))));
    const spans = Array.from({ length: Math.ceil(p / width) }, (_, s) => ({
      start: s * width,
      end: Math.min(p, (s + 1) * width),
    }));
    const use = (slab: BlockSpan, bytes: Uint8Array): void => {
      for (let start = slab.start; start < slab.end; start += PANEL) {
        const span = { start, end: Math.min(slab.end, start + PANEL) };
        const values = panel.subarray(0, (span.end - start) * rows);
        store.unpackInto(values, bytes, batch, span, slab.start);
        visit(span, values, rows);
      }
    };
    if (fitsSlab(batch)) {
      inUse = slotOf(batch);
      use({ start: 0, end: p }, await inUse.reading!);
      return;
    }
    const order = spans.map((_, s) => s);
    const read = (span: BlockSpan, room: BlockRoom) => store.read(batch, span, room);
    for await (const { span, block } of readAhead(spans, order, read, (_, error) => error))
      use(span, block);
  }

  /** Calls `use` with dL/dW of each panel's columns. */
  async function eachGradient(
    batch: number,
    slopes: Float32Array,
    use: (span: BlockSpan, gradient: Float32Array) => void,
  ): Promise<void> {
    const { gemm } = engine();
    await eachPanel(batch, (span, values, rows) => {
      const columns = span.end - span.start;
      gemm(
        ...([false, false, columns, units, rows, 1, values, rows] as const),
        ...([slopes, units, 0, slopePanel, units] as const),
      );
      use(span, slopePanel);
    });
  }

  return {
    async forward(batch) {
      const rows = store.batches[batch].length;
      const z = new Float32Array(rows * units);
      for (let i = 0; i < rows; i++) z.set(bias, i * units);
      const { gemm } = engine();
      await eachPanel(batch, (span, values) => {
        const W = weights.subarray(span.start * units, span.end * units);
        gemm(
          ...([true, false, rows, units, span.end - span.start, 1, values, rows] as const),
          ...([W, units, 1, z, units] as const),
        );
      });
      return z;
    },
    async descend(batch, slopes, { learningRate, penalty }) {
      moments.steps++;
      const rates: Rates = {
        learningRate,
        correction1: 1 - pow(BETA1, moments.steps),
        correction2: 1 - pow(BETA2, moments.steps),
      };
      const shrink = learningRate * penalty;
      await eachGradient(batch, slopes, ({ start, end }, gradient) => {
        const [from, to] = [start * units, end * units];
        adamInPlace(weights, gradient, first, second, from, to, rates);
        if (shrink > 0) shrinkRowsInPlace(weights, units, from, to, shrink);
      });
      const biasGradient = new Float32Array(units);
      for (let e = 0; e < slopes.length; e++) biasGradient[e % units] += slopes[e];
      adamInPlace(parameters, biasGradient, first, second, p * units, (p + 1) * units, rates);
    },
    async gradient(batch, slopes) {
      const out = new Float32Array(p * units);
      await eachGradient(batch, slopes, ({ start, end }, gradient) =>
        out.set(gradient.subarray(0, (end - start) * units), start * units),
      );
      return out;
    },
    prefetch: (batch) => {
      if (fitsSlab(batch)) slotOf(batch);
    },
    moments,
    close: () => space?.free(),
  };
}

interface Rates {
  readonly learningRate: number;
  readonly correction1: number;
  readonly correction2: number;
}

/** As adamStepInPlace, on parameters `from` … `to`, the gradient of the first of them at 0. */
function adamInPlace(
  theta: Float32Array,
  gradient: Float32Array,
  first: Float32Array,
  second: Float32Array,
  from: number,
  to: number,
  { learningRate, correction1, correction2 }: Rates,
): void {
  const rate = learningRate / correction1;
  const scale = 1 / correction2;
  for (let e = from; e < to; e++) {
    const g = gradient[e - from];
    const m = BETA1 * first[e] + (1 - BETA1) * g;
    const s = BETA2 * second[e] + (1 - BETA2) * g * g;
    first[e] = m;
    second[e] = s;
    theta[e] -= (rate * m) / (Math.sqrt(s * scale) + EPSILON);
  }
}

/** W_j ← W_j·max(0, 1 − ηλ/‖W_j‖), a row of `units` weights at a time. */
function shrinkRowsInPlace(
  theta: Float32Array,
  units: number,
  from: number,
  to: number,
  threshold: number,
): void {
  for (let row = from; row < to; row += units) {
    let squares = 0;
    for (let e = row; e < row + units; e++) squares += theta[e] * theta[e];
    const norm = Math.sqrt(squares);
    const keep = norm > threshold ? 1 - threshold / norm : 0;
    for (let e = row; e < row + units; e++) theta[e] *= keep;
  }
}
