import { RatewiseError, shapeError } from "../errors.ts";

/**
 * The area under a curve that is straight between its points, over an axis of length one: Σ (x_{k+1} − x_k)(y_k + y_{k+1})/2
 * over x_last − x_first. So it is the mean height of the curve, whatever the spacing of the points, where a mean of the y would
 * count the two ends twice as much as the rest. Of a single point its height.
 */
export function areaUnderCurve(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (x.length !== y.length || x.length === 0)
    throw shapeError(
      "areaUnderCurve",
      "one y for every x, at least one",
      `${x.length} and ${y.length}`,
    );
  const last = x.length - 1;
  if (last === 0) return y[0];
  let area = 0;
  for (let k = 0; k < last; k++) {
    if (!(x[k + 1] > x[k]))
      throw new RatewiseError("domain", {
        in: "areaUnderCurve",
        what: `needs x that grow, got ${x[k + 1]} after ${x[k]}`,
      });
    area += ((x[k + 1] - x[k]) * (y[k] + y[k + 1])) / 2;
  }
  return area / (x[last] - x[0]);
}
