import { MISSING_BIN, SPLIT_ANSWER } from "../compute/best-splits.ts";
import { featureStart, GROUP, HISTOGRAM_BINS } from "../compute/histogram.ts";

/** Weights of rows by bin and class, and room for the sides of a cut; zero between calls. */
export interface ClassTable {
  readonly classes: number;
  readonly counts: Float64Array;
  readonly left: Float64Array;
  readonly right: Float64Array;
}

export function classTable(classes: number): ClassTable {
  return {
    classes,
    counts: new Float64Array(HISTOGRAM_BINS * classes),
    left: new Float64Array(classes),
    right: new Float64Array(classes),
  };
}

/** A node's rows: their class and weight in `pairs`. */
export interface ClassNode {
  readonly bins: Uint8Array;
  readonly stride: number;
  readonly rows: Int32Array;
  readonly pairs: Float64Array;
}

/**
 * The cut of each listed column with the least Gini impurity: the most Σₖ Lₖ²/|L| + Σₖ Rₖ²/|R|, Lₖ and Rₖ the weight
 * of class k on either side. The sums of squares are kept up as a bin's rows move from right to left:
 * O(rows + occupied bins·classes) per column. Answers are those of `bestSplitsOfRows`.
 */
export function classSplitsOfRows(
  answers: Float64Array,
  list: Int32Array,
  node: ClassNode,
  table: ClassTable,
  minLeaf: number,
): void {
  const { bins, stride, rows, pairs } = node;
  const { classes, counts } = table;
  for (let f = 0; f < list.length; f++) {
    const offset = featureStart(list[f], stride);
    let [low, high] = [HISTOGRAM_BINS, -1];
    for (let i = 0; i < rows.length; i++) {
      const bin = bins[offset + GROUP * rows[i]];
      counts[bin * classes + pairs[2 * i]] += pairs[2 * i + 1];
      if (bin !== MISSING_BIN) {
        if (bin < low) low = bin;
        if (bin > high) high = bin;
      }
    }
    const answer = answers.subarray(f * SPLIT_ANSWER, (f + 1) * SPLIT_ANSWER);
    answer[0] = -1;
    const missing = MISSING_BIN * classes;
    if (weightOf(counts, missing, classes) > 0) scan(answer, table, low, high, true, minLeaf);
    scan(answer, table, low, high, false, minLeaf);
    counts.fill(0, low * classes, (high + 1) * classes);
    counts.fill(0, missing);
  }
}

function weightOf(counts: Float64Array, at: number, classes: number): number {
  let weight = 0;
  for (let k = 0; k < classes; k++) weight += counts[at + k];
  return weight;
}

function scan(
  answer: Float64Array,
  { classes, counts, left, right }: ClassTable,
  low: number,
  high: number,
  missingLeft: boolean,
  minLeaf: number,
): void {
  const missing = MISSING_BIN * classes;
  left.fill(0);
  right.fill(0);
  for (let bin = low; bin <= high; bin++)
    for (let k = 0; k < classes; k++) right[k] += counts[bin * classes + k];
  const side = missingLeft ? left : right;
  for (let k = 0; k < classes; k++) side[k] += counts[missing + k];
  let [leftWeight, rightWeight, leftSquares, rightSquares] = [0, 0, 0, 0];
  for (let k = 0; k < classes; k++) {
    leftWeight += left[k];
    rightWeight += right[k];
    leftSquares += left[k] * left[k];
    rightSquares += right[k] * right[k];
  }
  let fresh = false;
  for (let bin = low; bin <= high; bin++) {
    const at = bin * classes;
    if (weightOf(counts, at, classes) === 0) continue;
    if (fresh) answer[2] = bin;
    fresh = false;
    for (let k = 0; k < classes; k++) {
      const moved = counts[at + k];
      leftSquares += moved * (2 * left[k] + moved);
      rightSquares -= moved * (2 * right[k] - moved);
      left[k] += moved;
      right[k] -= moved;
      leftWeight += moved;
      rightWeight -= moved;
    }
    if (leftWeight < minLeaf || rightWeight < minLeaf) continue;
    const gain = leftSquares / leftWeight + rightSquares / rightWeight;
    if (gain > answer[0]) {
      answer.set([gain, bin, -1, missingLeft ? 1 : 0]);
      fresh = true;
    }
  }
}
