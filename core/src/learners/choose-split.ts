import { SPLIT_ANSWER } from "../compute/best-splits.ts";
import { VALUE_BINS } from "./bin-cuts.ts";
import type { NodeSplit } from "./tree-builder.ts";

/**
 * Gains that rounding makes, as a share of the node's own score: sums of n terms of one sign are wrong by
 * some √n·1e-16 of themselves.
 */
const ROUNDING = 1e-12;

/**
 * The split of an answer of the kernel, whose gain is measured from the node's own score G²/(H + λ), or null where
 * it gains nothing. The cut is put in the middle of the empty bins between the two sides.
 */
export function splitFromAnswer(
  answers: Float64Array,
  at: number,
  column: number,
  score: number,
): NodeSplit | null {
  const from = at * SPLIT_ANSWER;
  const gain = answers[from] - score;
  if (answers[from] < 0 || !(gain > ROUNDING * score)) return null;
  const bin = answers[from + 1];
  const next = answers[from + 2];
  return {
    column,
    bin: next < 0 ? VALUE_BINS - 1 : (bin + next - 1) >> 1,
    missingLeft: answers[from + 3] === 1,
    gain,
  };
}

/** Where no training row of the node misses its value, rows that will do go with the greater side. */
export function withGreaterSide(
  split: NodeSplit,
  start: number,
  middle: number,
  end: number,
): NodeSplit {
  return { ...split, missingLeft: middle - start >= end - middle };
}
