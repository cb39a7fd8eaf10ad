import { shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { eachRow, type TreeInput } from "./table-rows.ts";
import { leafOf, type TreeEnsemble } from "./tree.ts";

/** base + weight · Σ trees of every row: n×outputs. */
export function treeScores(where: string, ensemble: TreeEnsemble, X: TreeInput): Matrix {
  const { columns, outputs, width, weight, base, trees } = ensemble;
  if (X.cols !== columns)
    throw shapeError(where, `the ${columns} columns of the training rows`, `${X.cols}`);
  const out = matrix(X.rows, outputs);
  const sums = new Float64Array(outputs);
  eachRow(X, (data, offset, row) => {
    sums.fill(0);
    for (let t = 0; t < trees.length; t++) {
      const leaf = leafOf(trees[t], data, offset) * width;
      if (width === 1) sums[t % outputs] += trees[t].value[leaf];
      else for (let k = 0; k < width; k++) sums[k] += trees[t].value[leaf + k];
    }
    for (let k = 0; k < outputs; k++) out.data[row * outputs + k] = base[k] + weight * sums[k];
  });
  return out;
}
