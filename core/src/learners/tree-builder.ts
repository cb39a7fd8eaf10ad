import { MISSING_BIN } from "../compute/best-splits.ts";
import { type BinnedColumns, binAt, thresholdOf } from "./binned-columns.ts";
import type { Tree } from "./tree.ts";

/** How a node parts its rows: those of `column` (by name) with bin at most `bin` go left. */
export interface NodeSplit {
  readonly column: number;
  readonly bin: number;
  readonly missingLeft: boolean;
  /** By how much the loss falls. */
  readonly gain: number;
}

/** A tree while it grows, in bins. */
export interface TreeBuilder {
  /** Nodes so far. */
  readonly size: number;
  /** Makes the node a split with two new children, and gives the left one's number. */
  split(node: number, split: NodeSplit): number;
  setLeaf(node: number, value: ArrayLike<number>): void;
  setCover(node: number, cover: number): void;
  /** The leaf of a row of the binned columns. */
  leafOf(row: number): number;
  /** The first number a leaf says. */
  leafValue(leaf: number): number;
  finish(): Tree;
}

export function treeBuilder(binned: BinnedColumns, width = 1): TreeBuilder {
  const { order } = binned;
  const column = [-1];
  const bin = [0];
  const missingLeft = [0];
  const left = [0];
  const gain = [0];
  const cover = [0];
  const values: number[] = new Array(width).fill(0);

  return {
    get size() {
      return column.length;
    },
    split(node, split) {
      const child = column.length;
      column[node] = split.column;
      bin[node] = split.bin;
      missingLeft[node] = split.missingLeft ? 1 : 0;
      left[node] = child;
      gain[node] = split.gain;
      for (let k = 0; k < 2; k++) {
        column.push(-1);
        for (const list of [bin, missingLeft, left, gain, cover]) list.push(0);
        for (let v = 0; v < width; v++) values.push(0);
      }
      return child;
    },
    setLeaf(node, value) {
      for (let k = 0; k < width; k++) values[node * width + k] = value[k];
    },
    setCover(node, rowsHere) {
      cover[node] = rowsHere;
    },
    leafOf(row) {
      let node = 0;
      for (let c = column[0]; c >= 0; c = column[node]) {
        const here = binAt(binned, c, row);
        const goesLeft = here === MISSING_BIN ? missingLeft[node] === 1 : here <= bin[node];
        node = goesLeft ? left[node] : left[node] + 1;
      }
      return node;
    },
    leafValue(leaf) {
      return values[leaf * width];
    },
    finish() {
      return {
        feature: Int32Array.from(column, (c) => (c < 0 ? -1 : order[c])),
        threshold: Float64Array.from(column, (c, k) =>
          c < 0 ? 0 : thresholdOf(binned, c, bin[k]),
        ),
        missingLeft: Uint8Array.from(missingLeft),
        left: Int32Array.from(left),
        value: Float64Array.from(values),
        gain: Float64Array.from(gain),
        cover: Float64Array.from(cover),
      };
    },
  };
}
