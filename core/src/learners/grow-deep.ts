import type { Arena } from "../compute/arena.ts";
import {
  bestSplitsInto,
  bestSplitsOfRows,
  MISSING_BIN,
  SPLIT_ANSWER,
  SPLIT_ROOM,
} from "../compute/best-splits.ts";
import {
  HISTOGRAM_BINS,
  type Histograms,
  histogramsInto,
  wholeGroups,
} from "../compute/histogram.ts";
import { uniformInteger } from "../random/index.ts";
import { VALUE_BINS } from "./bin-cuts.ts";
import { type BinnedColumns, binAt } from "./binned-columns.ts";
import { splitFromAnswer, withGreaterSide } from "./choose-split.ts";
import { type ClassTable, classSplitsOfRows, classTable } from "./class-splits.ts";
import { type NodeRows, nodeRows, partNode } from "./node-rows.ts";
import type { Tree } from "./tree.ts";
import { type NodeSplit, treeBuilder } from "./tree-builder.ts";

/** When a node of a forest's tree is split, and on what. */
export interface DeepLimits {
  readonly maxDepth: number;
  /** Columns drawn at each node. */
  readonly maxFeatures: number;
  readonly minLeaf: number;
  readonly minSplit: number;
}

/** Rows from which the histograms of all columns are made four at a time. */
const LARGE_NODE = 128;
/** Rows looked at, in nodes, between two turns of the caller. */
const ROWS_A_TURN = 256;
/** Columns whose histograms are kept at a time, at most: 40 MB. */
const MOST_AT_ONCE = 10_000;

/** Room for trees grown one after another on the same columns. */
export interface DeepSpace {
  readonly binned: BinnedColumns;
  readonly nodes: NodeRows;
  /** Classes, where there are more than two: their rows are counted by class. */
  readonly classes: ClassTable | null;
  readonly answers: Float64Array;
  /** The columns, in an order that drawing shuffles, and in their own. */
  readonly columns: Int32Array;
  readonly all: Int32Array;
  /** Of all columns, where large nodes look at all of them. */
  readonly histograms: Histograms | null;
  readonly room: Float64Array;
}

/** `classes` 0 is regression on numbers, the indicator of the second of two classes being one. */
export function deepSpace(
  arena: Arena,
  binned: BinnedColumns,
  classes: number,
  allColumns: boolean,
): DeepSpace {
  const p = binned.order.length;
  return {
    binned,
    nodes: nodeRows(arena, binned.rows),
    classes: classes > 0 ? classTable(classes) : null,
    answers: arena.float64(p * SPLIT_ANSWER),
    columns: arena.int32(p),
    all: Int32Array.from({ length: p }, (_, c) => c),
    histograms:
      classes === 0 && allColumns && p <= MOST_AT_ONCE
        ? { sums: arena.float64(wholeGroups(p) * HISTOGRAM_BINS * 2), counts: null }
        : null,
    room: arena.float64(SPLIT_ROOM),
  };
}

interface OpenNode {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/**
 * Grows one tree to the end, depth first, on rows drawn `weights[i]` times each (CART with the variance, or the
 * Gini impurity of classes; Breiman, Friedman, Olshen & Stone 1984). Each node looks at columns in a random
 * order until `maxFeatures` of them could be split; ties are broken at random. Yields after each few hundred rows.
 * O(Σ over nodes of columns·rows).
 */
export function* growDeep(
  space: DeepSpace,
  target: Float64Array,
  weights: Float64Array,
  limits: DeepLimits,
  next: () => number,
): Generator<void, Tree> {
  const { binned, nodes, classes } = space;
  const { rows, pairs } = nodes;
  const tree = treeBuilder(binned, classes ? classes.classes : 1);
  for (let c = 0; c < space.columns.length; c++) space.columns[c] = c;
  let drawn = 0;
  for (let i = 0; i < binned.rows; i++) {
    if (weights[i] === 0) continue;
    rows[drawn] = i;
    pairs[2 * drawn] = classes ? target[i] : weights[i] * target[i];
    pairs[2 * drawn + 1] = weights[i];
    drawn++;
  }
  let worked = 0;
  const open: OpenNode[] = [{ node: 0, start: 0, end: drawn, depth: 0 }];
  for (let here = open.pop(); here; here = open.pop()) {
    const { node, start, end, depth } = here;
    const totals = nodeTotals(space, start, end);
    tree.setCover(node, totals.cover);
    const mayGrow =
      depth < limits.maxDepth &&
      totals.cover >= Math.max(limits.minSplit, 2 * limits.minLeaf) &&
      !isPure(rows, target, start, end);
    const find = end - start === 2 ? anySplit : bestSplit;
    const split = mayGrow ? find(space, start, end, totals, limits, next) : null;
    if (!split) {
      tree.setLeaf(node, totals.value);
      continue;
    }
    const { middle, missing } = partNode(nodes, start, end, split, binned);
    const child = tree.split(node, missing ? split : withGreaterSide(split, start, middle, end));
    open.push({ node: child + 1, start: middle, end, depth: depth + 1 });
    open.push({ node: child, start, end: middle, depth: depth + 1 });
    worked += end - start;
    if (worked < ROWS_A_TURN) continue;
    worked = 0;
    yield;
  }
  return tree.finish();
}

interface DeepTotals {
  readonly gradient: number;
  readonly cover: number;
  /** What a leaf here would say. */
  readonly value: Float64Array;
  /** Σ (class total)²/cover, or (total)²/cover. */
  readonly score: number;
}

function nodeTotals({ nodes, classes }: DeepSpace, start: number, end: number): DeepTotals {
  const { pairs } = nodes;
  const sums = new Float64Array(classes ? classes.classes : 1);
  let cover = 0;
  for (let i = start; i < end; i++) {
    const weight = pairs[2 * i + 1];
    if (classes) sums[pairs[2 * i]] += weight;
    else sums[0] += pairs[2 * i];
    cover += weight;
  }
  let score = 0;
  for (const sum of sums) score += (sum * sum) / cover;
  return { gradient: sums[0], cover, value: sums.map((sum) => sum / cover), score };
}

function isPure(rows: Int32Array, target: Float64Array, start: number, end: number): boolean {
  const first = target[rows[start]];
  for (let i = start + 1; i < end; i++) if (target[rows[i]] !== first) return false;
  return true;
}

/**
 * The same for two rows that differ: every column that tells them apart gains as much, so a random one is taken and
 * the others are not looked at. A third of all splits of a full-grown tree are of this kind.
 */
function anySplit(
  { binned, nodes, columns, classes }: DeepSpace,
  start: number,
  _end: number,
  { cover, score }: DeepTotals,
  limits: DeepLimits,
  next: () => number,
): NodeSplit | null {
  const { rows, pairs } = nodes;
  const [g1, w1, g2, w2] = pairs.subarray(2 * start, 2 * start + 4);
  if (Math.min(w1, w2) < limits.minLeaf) return null;
  const gain = (classes ? cover : (g1 * g1) / w1 + (g2 * g2) / w2) - score;
  for (let seen = 0; seen < columns.length; seen++) {
    const [column] = drawColumns(columns, seen, 1, next);
    const one = binAt(binned, column, rows[start]);
    const other = binAt(binned, column, rows[start + 1]);
    if (one === other) continue;
    const [low, high] = one < other ? [one, other] : [other, one];
    const bin = high === MISSING_BIN ? VALUE_BINS - 1 : (low + high - 1) >> 1;
    return { column, bin, missingLeft: false, gain };
  }
  return null;
}

function bestSplit(
  space: DeepSpace,
  start: number,
  end: number,
  totals: DeepTotals,
  limits: DeepLimits,
  next: () => number,
): NodeSplit | null {
  const { columns, answers } = space;
  const p = columns.length;
  let gain = -1;
  let split: NodeSplit | null = null;
  let ties = 0;
  let seen = 0;
  // Columns that cannot be split here do not count, as in scikit-learn.
  for (let wanted = limits.maxFeatures; wanted > 0 && seen < p; ) {
    const large = wanted === p && space.histograms && end - start >= LARGE_NODE;
    const list = large ? space.all : drawColumns(columns, seen, Math.min(wanted, p - seen), next);
    if (large) answerLarge(space, start, end, totals, limits);
    else answer(space, list, start, end, totals, limits);
    let equals = 0;
    let best = gain;
    for (let f = 0; f < list.length; f++) {
      const own = answers[f * SPLIT_ANSWER];
      if (own >= 0) wanted--;
      if (own === best) equals++;
      if (!(own > best)) continue;
      best = own;
      equals = 1;
    }
    ties = best > gain ? equals : ties + equals;
    gain = best;
    // One of all that are as good as the best, each as likely: few rows are parted alike by many columns.
    const drawn = equals > 0 && gain >= 0 ? uniformInteger(next, ties) : equals;
    if (drawn < equals) {
      const f = placeOf(answers, gain, drawn);
      split = splitFromAnswer(answers, f, list[f], totals.score);
    }
    seen += list.length;
  }
  return split;
}

/** The feature whose answer is the one after `before` others of this gain. */
function placeOf(answers: Float64Array, gain: number, before: number): number {
  let f = 0;
  for (let left = before; ; f++) if (answers[f * SPLIT_ANSWER] === gain && left-- === 0) return f;
}

/** Brings `count` random columns of those from `from` on to its place; all that are left need no draw. */
function drawColumns(
  columns: Int32Array,
  from: number,
  count: number,
  next: () => number,
): Int32Array {
  if (from + count < columns.length)
    for (let k = from; k < from + count; k++) {
      const other = k + uniformInteger(next, columns.length - k);
      [columns[k], columns[other]] = [columns[other], columns[k]];
    }
  return columns.subarray(from, from + count);
}

function answerLarge(
  { binned, nodes, answers, histograms }: DeepSpace,
  start: number,
  end: number,
  { gradient, cover }: DeepTotals,
  { minLeaf }: DeepLimits,
): void {
  const p = binned.order.length;
  const totals = { gradient, hessian: cover, count: end - start };
  const rows = nodes.rows.subarray(start, end);
  const pairs = nodes.pairs.subarray(2 * start, 2 * end);
  const arrays = { bins: binned.bins, stride: binned.rows, rows, pairs, ...histograms! };
  histogramsInto(arrays, p, totals.count);
  const limits = { l2: 0, leastHessian: minLeaf, leastRows: 1 };
  bestSplitsInto([{ answers, histograms: histograms!, totals }], p, limits);
}

function answer(
  { binned, nodes, classes, answers, room }: DeepSpace,
  list: Int32Array,
  start: number,
  end: number,
  { gradient, cover }: DeepTotals,
  { minLeaf }: DeepLimits,
): void {
  const { bins, rows: stride } = binned;
  const { rows, pairs } = nodes;
  if (classes) {
    const own = { rows: rows.subarray(start, end), pairs: pairs.subarray(2 * start, 2 * end) };
    classSplitsOfRows(answers, list, { bins, stride, ...own }, classes, minLeaf);
    return;
  }
  const totals = { gradient, hessian: cover, count: end - start };
  const limits = { l2: 0, leastHessian: minLeaf, leastRows: 1 };
  const node = { bins, stride, rows, pairs, start };
  bestSplitsOfRows(answers, list, list.length, node, room, totals, limits);
}
