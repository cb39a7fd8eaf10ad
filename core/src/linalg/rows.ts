import type { FloatArray } from "../compute/index.ts";

/** Rows of numbers one after another, in either precision; a Matrix is one. */
export interface Rows {
  readonly data: FloatArray;
  readonly rows: number;
  readonly cols: number;
}
