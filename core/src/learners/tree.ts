/**
 * A binary tree in flat arrays, node 0 the root. A row goes left where its value is at most the threshold;
 * a missing value goes where `missingLeft` says. The children of node k are left[k] and left[k] + 1.
 */
export interface Tree {
  /** Column of the input that the node asks for, −1 at a leaf. */
  readonly feature: Int32Array;
  readonly threshold: Float64Array;
  readonly missingLeft: Uint8Array;
  readonly left: Int32Array;
  /** What a leaf says: `width` numbers per node. */
  readonly value: Float64Array;
  /** By how much the split lessened the loss on the training rows, ≥ 0; 0 at a leaf. */
  readonly gain: Float64Array;
  /** Training rows that came by, those drawn twice counted twice. */
  readonly cover: Float64Array;
}

/**
 * A weighted sum of trees: output k of row x is base[k] + weight · Σ over trees. A tree says all `outputs`
 * (width = outputs), or one (width = 1), the t-th then output t mod outputs.
 */
export interface TreeEnsemble {
  /** Of the input. */
  readonly columns: number;
  readonly outputs: number;
  readonly width: number;
  readonly weight: number;
  readonly base: Float64Array;
  readonly trees: readonly Tree[];
}

/** The leaf of the row of numbers that begins at `offset` of `data`. */
export function leafOf(tree: Tree, data: Float64Array, offset: number): number {
  const { feature, threshold, missingLeft, left } = tree;
  let node = 0;
  for (let column = feature[0]; column >= 0; column = feature[node]) {
    const value = data[offset + column];
    const goesLeft = value <= threshold[node] || (missingLeft[node] === 1 && Number.isNaN(value));
    node = goesLeft ? left[node] : left[node] + 1;
  }
  return node;
}
