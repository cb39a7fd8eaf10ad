import type { Target } from "../../data/index.ts";
import { RatewiseError } from "../../errors.ts";

/** Rows × classes: training holds some lists of as many numbers, half a gigabyte each. */
const MOST_CELLS = 2 ** 26;

/** Throws where a number a row and class would not fit into memory. */
export function checkClassCells(target: Target, rows: number): void {
  if (target.task === "regression") return;
  const classes = target.classes.length;
  if (rows * classes > MOST_CELLS)
    throw new RatewiseError("memory", {
      in: "explain",
      what: `needs at most ${MOST_CELLS} rows × classes, got ${rows} × ${classes}`,
      advice: `join rare classes of "${target.name}", or use fewer rows`,
      rows,
      classes,
    });
}
