import type { FloatArray } from "../compute/index.ts";
import type { PathRun } from "./path.ts";
import { rowLosses } from "./validation-score.ts";

/**
 * f at the rows that the folds hold back, fold after fold, from the look that the other folds' rows find best. A path takes
 * hundreds of looks, and the best of them at few rows is far too good there: no row has a say in what it is predicted by.
 *
 * @param looks f at every fold's own rows, one list per look
 */
export function crossFitted(
  { layout, target, weights, folds }: Pick<PathRun, "layout" | "target" | "weights" | "folds">,
  looks: readonly (readonly FloatArray[])[],
): Float64Array {
  const sums = looks.map((look) =>
    folds.map(({ validationRows }, f) =>
      rowLosses(layout, look[f], target, validationRows).reduce(
        (sum, loss, i) => sum + (weights ? weights[validationRows[i]] : 1) * loss,
        0,
      ),
    ),
  );
  return Float64Array.from(
    folds.flatMap((_, f) => {
      const others = sums.map((look) =>
        look.reduce((sum, loss, g) => (g === f ? sum : sum + loss), 0),
      );
      return [...looks[others.indexOf(Math.min(...others))][f]];
    }),
  );
}
