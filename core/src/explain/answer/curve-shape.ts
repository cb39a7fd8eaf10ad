import { squaresOf } from "../../linalg/moments.ts";
import type { RowCurves } from "./row-curves.ts";

/** What a curve does from left to right. */
export type CurveShape =
  | "flat"
  | "rises"
  | "falls"
  | "rises, then falls"
  | "falls, then rises"
  | "goes up and down"
  | "depends on others";

/** A curve that strays from its mean by less than this share of the spread is flat: it explains less than a 400th of it. */
const FLAT = 0.05;
/** Rows that have less than this part of their movement in common go different ways. */
const LEAST_COMMON = 0.1;
/** Movement against the trend up to this share of all movement is overlooked. */
const OVERLOOKED = 0.1;

/**
 * What a variable does to an output, in a word. A mean curve says little of a variable that acts only together with others:
 * rows go up and down with it, and what is left of them on average has no direction worth a word.
 *
 * @param spread standard deviation of the predictions that the curve is a part of
 */
export function curveShape(
  { mean: values, movement: ofRows, common }: Pick<RowCurves, "mean" | "movement" | "common">,
  spread: number,
): CurveShape {
  const least = FLAT * spread;
  if (!(ofRows > least)) return "flat";
  if (common < LEAST_COMMON) return "depends on others";
  if (!(deviation(values) > least)) return "flat";
  const top = Math.max(...values);
  const bottom = Math.min(...values);
  const { up, down } = movement(values);
  if (down <= OVERLOOKED * (up + down)) return "rises";
  if (up <= OVERLOOKED * (up + down)) return "falls";
  if (turnsOnce(values, values.indexOf(top), 1)) return "rises, then falls";
  if (turnsOnce(values, values.indexOf(bottom), -1)) return "falls, then rises";
  return "goes up and down";
}

function deviation(values: readonly number[]): number {
  return Math.sqrt(squaresOf(values) / values.length);
}

/** Sums of all steps up and of all steps down. */
function movement(values: readonly number[]): { up: number; down: number } {
  let up = 0;
  let down = 0;
  for (let i = 1; i < values.length; i++) {
    const step = values[i] - values[i - 1];
    if (step > 0) up += step;
    else down -= step;
  }
  return { up, down };
}

/** Nearly all movement before the turn has the sign given, and nearly all after it the other. */
function turnsOnce(values: readonly number[], turn: number, sign: 1 | -1): boolean {
  const before = movement(values.slice(0, turn + 1));
  const after = movement(values.slice(turn));
  const against = sign === 1 ? before.down + after.up : before.up + after.down;
  return against <= OVERLOOKED * (before.up + before.down + after.up + after.down);
}
