import { RatewiseError } from "../errors.ts";
import { type Matrix, matrix, rowBlock } from "../linalg/index.ts";
import { addGramInPlace } from "../linalg/products.ts";

/** Rows formed at a time: with 128 columns they stay in a second-level cache. */
export const BLOCK = 256;

/** The rows u_j = a_j/√d_j of U = D^(−½)A, formed when asked for: U is never stored. */
export interface Whitened {
  readonly rows: number;
  readonly cols: number;
  /** 1/√d_j. */
  readonly scale: Float64Array;
  readonly factor: Matrix;
  /** Of the rows of `factor`. */
  readonly norms: Float64Array;
}

/** @throws `domain` where d_j is not positive: such a row cannot be divided by it. */
export function whiten(
  factor: Matrix,
  norms: Float64Array,
  diagonal: Float64Array,
  names: readonly string[],
): Whitened {
  const scale = new Float64Array(diagonal.length);
  for (let j = 0; j < scale.length; j++) scale[j] = 1 / Math.sqrt(diagonal[j]);
  const at = scale.findIndex((value) => !Number.isFinite(value));
  if (at >= 0)
    throw new RatewiseError("domain", {
      in: "rate",
      what: `needs noise above zero wherever the effect varies, got ${diagonal[at]} for variable ${at} ("${names[at]}")`,
      advice: "give its sampling variance or add a nugget",
      variable: at,
    });
  return { rows: factor.rows, cols: factor.cols, scale, factor, norms };
}

/** The rows of U that belong to `members`, in their order. */
export function whitenedRows(U: Whitened, members: readonly number[]): Matrix {
  const out = matrix(members.length, U.cols);
  for (let i = 0; i < members.length; i++) whitenRowInto(out, i, U, members[i]);
  return out;
}

function whitenRowInto(
  out: Matrix,
  row: number,
  { factor, scale, cols }: Whitened,
  j: number,
): void {
  scaleInto(out.data, row * cols, factor.data, j * cols, cols, scale[j]);
}

/** A function of plain arrays: reads through objects in this loop would take as long as the product it prepares. */
export function scaleInto(
  target: Float64Array,
  to: number,
  source: Float64Array,
  from: number,
  count: number,
  by: number,
): void {
  let k = 0;
  // Four a turn: a third faster.
  for (; k + 3 < count; k += 4) {
    target[to + k] = source[from + k] * by;
    target[to + k + 1] = source[from + k + 1] * by;
    target[to + k + 2] = source[from + k + 2] * by;
    target[to + k + 3] = source[from + k + 3] * by;
  }
  for (; k < count; k++) target[to + k] = source[from + k] * by;
}

/** Calls `visit` with each block of rows in order, and the index of its first row. The next block overwrites it. */
export function forEachBlock(U: Whitened, visit: (block: Matrix, start: number) => void): void {
  const whole = matrix(Math.min(BLOCK, U.rows), U.cols);
  for (let start = 0; start < U.rows; start += BLOCK) {
    const block = rowBlock(whole, 0, Math.min(BLOCK, U.rows - start));
    for (let i = 0; i < block.rows; i++) whitenRowInto(block, i, U, start + i);
    visit(block, start);
  }
}

/** As forEachBlock over the rows of `members` alone, with the members of each block. */
export function forEachMemberBlock(
  U: Whitened,
  members: readonly number[],
  visit: (block: Matrix, members: readonly number[]) => void,
): void {
  for (let start = 0; start < members.length; start += BLOCK) {
    const slice = members.slice(start, start + BLOCK);
    visit(whitenedRows(U, slice), slice);
  }
}

/** S = UᵀU, l×l, in one pass over the rows. */
export function whitenedGram(U: Whitened): Matrix {
  const S = matrix(U.cols, U.cols);
  forEachBlock(U, (block) => addGramInPlace(S, block));
  return S;
}
