import { addRows, type RowAccumulator, rowAccumulator } from "../effects/index.ts";
import { checkCovered } from "../effects/spans.ts";
import type { Rows } from "../linalg/rows.ts";
import type { BlockSpan } from "./block-source.ts";
import type { StreamedProjection } from "./streamed-projection.ts";

/** The moments of X with H, blocks of rows at a time. */
export interface RowMoments {
  readonly has: (span: BlockSpan) => boolean;
  readonly add: (span: BlockSpan, block: Rows) => void;
  /** All of it as numbers, for rowMoments to go on from. */
  readonly state: () => Float64Array;
  /** Scales what was summed in place: of no use afterwards. */
  readonly finish: () => Pick<StreamedProjection, "hidden" | "squaredNorms" | "columnMeans">;
}

/** Moments of nothing yet, or those of a `state`. */
export function rowMoments(columns: number, H: Rows, state: Float64Array | null): RowMoments {
  const accumulator = rowAccumulator({ columns, width: H.cols, rows: H.rows });
  if (state) restore(accumulator, state);
  return {
    has: ({ start, end }) =>
      accumulator.spans.some((span) => span.start <= start && end <= span.end),
    add: ({ start, end }, block) =>
      addRows(accumulator, start, block, {
        data: H.data.subarray(start * H.cols, end * H.cols),
        rows: end - start,
        cols: H.cols,
      }),
    state: () => stateOf(accumulator),
    finish: () => {
      checkCovered("streamProjection", "rows", accumulator.spans, H.rows);
      const { product, squares, meanX } = accumulator;
      const scale = 1 / (H.rows - 1);
      for (let e = 0; e < product.data.length; e++) product.data[e] *= scale;
      return {
        hidden: product,
        squaredNorms: squares.map((square) => square * scale * scale),
        columnMeans: meanX,
      };
    },
  };
}

function arraysOf({ meanX, meanH, product, squares }: RowAccumulator): readonly Float64Array[] {
  return [meanX, meanH, product.data, squares];
}

/** Rows seen, the number of spans, the spans, then all sums. */
function stateOf(accumulator: RowAccumulator): Float64Array {
  const { seen, spans } = accumulator;
  const arrays = arraysOf(accumulator);
  const head = [seen, spans.length, ...spans.flatMap(({ start, end }) => [start, end])];
  const out = new Float64Array(arrays.reduce((sum, { length }) => sum + length, head.length));
  out.set(head);
  let at = head.length;
  for (const array of arrays) {
    out.set(array, at);
    at += array.length;
  }
  return out;
}

/** A state of another shape is not taken. */
function restore(accumulator: RowAccumulator, state: Float64Array): void {
  const arrays = arraysOf(accumulator);
  const spans = state[1];
  let at = 2 + 2 * spans;
  if (state.length !== arrays.reduce((sum, { length }) => sum + length, at)) return;
  for (const array of arrays) {
    array.set(state.subarray(at, at + array.length));
    at += array.length;
  }
  accumulator.seen = state[0];
  accumulator.spans = Array.from({ length: spans }, (_, s) => ({
    start: state[2 + 2 * s],
    end: state[3 + 2 * s],
  }));
}
