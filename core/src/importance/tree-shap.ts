import { refuseUnknown, shapeError } from "../errors.ts";
import type { Tree, TreeEnsemble } from "../learners/tree.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { drive, type Progress, type RunOptions } from "../run.ts";

export interface TreeShap {
  /** Of each output: the mean of the trees over the training rows, E f. */
  readonly base: Float64Array;
  /**
   * For each output, φ: one row per row of X, one column per variable. base + Σⱼ φⱼ is the output. Two classes are one output,
   * that of the second: the values of the first are their negatives.
   */
  readonly values: readonly Matrix[];
}

/**
 * Exact Shapley values of an ensemble of trees, what is not known being averaged over by the numbers of training
 * rows in each branch ("path-dependent"; Lundberg et al. 2020, algorithm 2). For a forest they explain means
 * and probabilities, of boosting the scores before the link: log-odds, or one per class. NaN goes the
 * way missing values go. O(n·trees·leaves·depth²).
 */
export async function treeShap(
  ensemble: TreeEnsemble,
  X: Matrix,
  options: RunOptions = {},
): Promise<TreeShap> {
  refuseUnknown("treeShap", options, { signal: true, onProgress: true });
  const { columns } = ensemble;
  if (X.cols !== columns)
    throw shapeError("treeShap", `the ${columns} columns of the training rows`, `${X.cols}`);
  return drive(explainRows(ensemble, X), options);
}

function* explainRows(ensemble: TreeEnsemble, X: Matrix): Generator<Progress, TreeShap> {
  const { outputs, width, weight, trees } = ensemble;
  const base = ensemble.base.slice();
  const values = Array.from({ length: outputs }, () => matrix(X.rows, X.cols));
  const progress = (done: number): Progress => ({ phase: "tree-shap", done, total: X.rows });
  const walks = trees.map((tree) => shapleyWalk(tree, width));
  trees.forEach((tree, t) => {
    const mean = meanValue(tree, width);
    for (let v = 0; v < width; v++) base[width === 1 ? t % outputs : v] += weight * mean[v];
  });
  for (let i = 0; i < X.rows; i++) {
    const row = X.data.subarray(i * X.cols, (i + 1) * X.cols);
    walks.forEach((walk, t) => {
      walk(row, (column, v, share) => {
        const output = width === 1 ? t % outputs : v;
        values[output].data[i * X.cols + column] += weight * share;
      });
    });
    yield progress(i + 1);
  }
  return { base, values };
}

/** The mean over the training rows of what the tree says. */
function meanValue({ feature, value, cover }: Tree, width: number): Float64Array {
  const mean = new Float64Array(width);
  for (let node = 0; node < feature.length; node++)
    if (feature[node] < 0)
      for (let v = 0; v < width; v++) mean[v] += (cover[node] / cover[0]) * value[node * width + v];
  return mean;
}

type AddShare = (column: number, v: number, share: number) => void;

/**
 * Follows one row down all branches at once. The path holds, for each variable met so far, the share of
 * training rows that a branch keeps when the variable is unknown (zero) and when it is known (one: 1 or 0),
 * and the weights of subsets by size; EXTEND and UNWIND are those of the paper.
 */
function shapleyWalk(tree: Tree, width: number): (row: Float64Array, add: AddShare) => void {
  const { feature, threshold, missingLeft, left, value, cover } = tree;
  const room = depthOf(tree) + 2;
  // A branch copies its path, so each depth has room of its own, one after another.
  const size = (room * (room + 1)) / 2;
  const column = new Int32Array(size);
  const zero = new Float64Array(size);
  const one = new Float64Array(size);
  const weight = new Float64Array(size);

  const extend = (at: number, length: number, z: number, o: number, j: number): void => {
    column[at + length] = j;
    zero[at + length] = z;
    one[at + length] = o;
    weight[at + length] = length === 0 ? 1 : 0;
    for (let i = length - 1; i >= 0; i--) {
      weight[at + i + 1] += (o * weight[at + i] * (i + 1)) / (length + 1);
      weight[at + i] = (z * weight[at + i] * (length - i)) / (length + 1);
    }
  };

  /** Takes entry k out of a path whose last entry is `last`. */
  const unwind = (at: number, last: number, k: number): void => {
    const [z, o] = [zero[at + k], one[at + k]];
    let next = weight[at + last];
    for (let i = last - 1; i >= 0; i--) {
      if (o !== 0) {
        const before = weight[at + i];
        weight[at + i] = (next * (last + 1)) / ((i + 1) * o);
        next = before - (weight[at + i] * z * (last - i)) / (last + 1);
      } else weight[at + i] = (weight[at + i] * (last + 1)) / (z * (last - i));
    }
    for (let i = k; i < last; i++) {
      column[at + i] = column[at + i + 1];
      zero[at + i] = zero[at + i + 1];
      one[at + i] = one[at + i + 1];
    }
  };

  /** The sum of the weights of the path without entry k. */
  const unwoundSum = (at: number, last: number, k: number): number => {
    const [z, o] = [zero[at + k], one[at + k]];
    let next = weight[at + last];
    let total = 0;
    for (let i = last - 1; i >= 0; i--) {
      if (o !== 0) {
        const part = (next * (last + 1)) / ((i + 1) * o);
        total += part;
        next = weight[at + i] - (part * z * (last - i)) / (last + 1);
      } else total += (weight[at + i] * (last + 1)) / (z * (last - i));
    }
    return total;
  };

  return (row, add) => {
    const visit = (
      node: number,
      parent: number,
      length: number,
      z: number,
      o: number,
      j: number,
    ): void => {
      const at = parent + length;
      for (let i = 0; i < length; i++) {
        column[at + i] = column[parent + i];
        zero[at + i] = zero[parent + i];
        one[at + i] = one[parent + i];
        weight[at + i] = weight[parent + i];
      }
      extend(at, length, z, o, j);
      const split = feature[node];
      if (split < 0) {
        for (let k = 1; k <= length; k++) {
          const share = unwoundSum(at, length, k) * (one[at + k] - zero[at + k]);
          for (let v = 0; v < width; v++) add(column[at + k], v, share * value[node * width + v]);
        }
        return;
      }
      const here = row[split];
      const goesLeft = here <= threshold[node] || (missingLeft[node] === 1 && Number.isNaN(here));
      const hot = goesLeft ? left[node] : left[node] + 1;
      const cold = goesLeft ? left[node] + 1 : left[node];
      let [zeroBefore, oneBefore, last] = [1, 1, length];
      for (let k = 1; k <= length; k++) {
        if (column[at + k] !== split) continue;
        zeroBefore = zero[at + k];
        oneBefore = one[at + k];
        unwind(at, last, k);
        last--;
        break;
      }
      const share = (child: number): number => (zeroBefore * cover[child]) / cover[node];
      visit(hot, at, last + 1, share(hot), oneBefore, split);
      visit(cold, at, last + 1, share(cold), 0, split);
    };
    visit(0, 0, 0, 1, 1, -1);
  };
}

function depthOf({ feature, left }: Tree): number {
  const depth = new Int32Array(feature.length);
  let deepest = 0;
  // Children come after their parent.
  for (let node = 0; node < feature.length; node++) {
    deepest = Math.max(deepest, depth[node]);
    if (feature[node] < 0) continue;
    depth[left[node]] = depth[node] + 1;
    depth[left[node] + 1] = depth[node] + 1;
  }
  return deepest;
}
