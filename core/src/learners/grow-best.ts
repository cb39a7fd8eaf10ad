import type { Arena } from "../compute/arena.ts";
import { bestSplitsInto, type NodeTotals, SPLIT_ANSWER } from "../compute/best-splits.ts";
import {
  GROUP,
  HISTOGRAM_BINS,
  type Histograms,
  histogramsInto,
  wholeGroups,
} from "../compute/histogram.ts";
import type { BinnedColumns } from "./binned-columns.ts";
import { splitFromAnswer, withGreaterSide } from "./choose-split.ts";
import { type NodeRows, nodeRows, partNode } from "./node-rows.ts";
import { type NodeSplit, type TreeBuilder, treeBuilder } from "./tree-builder.ts";

/** When a leaf of a boosted tree is split. */
export interface BestLimits {
  readonly maxLeaves: number;
  readonly maxDepth: number;
  readonly minLeaf: number;
  readonly l2: number;
  readonly minHessian: number;
}

/** Bytes of histograms that are kept for subtraction, at most; with more, each leaf's are made anew. */
const KEPT_BYTES = 2 ** 29;

/** Room for trees grown one after another on the same columns. */
export interface BestSpace {
  readonly binned: BinnedColumns;
  readonly nodes: NodeRows;
  readonly answers: Float64Array;
  /** Histograms not in use. */
  readonly spare: Histograms[];
  /** Whether leaves keep their histograms. */
  readonly keeps: boolean;
  /** Columns a histogram holds: all, or a block of them where not even one histogram would fit. */
  readonly block: number;
  readonly leaves: Leaf[];
}

interface Leaf {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
  readonly totals: NodeTotals;
  histograms: Histograms | null;
  split: NodeSplit | null;
}

/** `counted`: Hessians are not all 1, so that rows are counted apart from them. */
export function bestSpace(
  arena: Arena,
  binned: BinnedColumns,
  limits: BestLimits,
  counted: boolean,
  keptBytes: number = KEPT_BYTES,
): BestSpace {
  const p = binned.order.length;
  const most = Math.min(limits.maxLeaves, Math.max(1, Math.floor(binned.rows / limits.minLeaf)));
  const bytes = HISTOGRAM_BINS * (counted ? 20 : 16);
  const keeps = most * wholeGroups(p) * bytes <= keptBytes;
  const fits = Math.floor(keptBytes / 4 / bytes / GROUP) * GROUP;
  const block = wholeGroups(keeps ? p : Math.min(p, Math.max(GROUP, fits)));
  const spare = Array.from({ length: keeps ? most : 1 }, () => ({
    sums: arena.float64(block * HISTOGRAM_BINS * 2),
    counts: counted ? arena.int32(block * HISTOGRAM_BINS) : null,
  }));
  const answers = arena.float64(2 * p * SPLIT_ANSWER);
  return { binned, nodes: nodeRows(arena, binned.rows), answers, spare, keeps, block, leaves: [] };
}

/**
 * Grows a tree on the first `count` of `space.nodes`, splitting the leaf that gains most until there are
 * `maxLeaves` (Shi 2007; Ke et al. 2017, LightGBM). Of two new leaves only the smaller one's histograms are
 * summed; the other's are its parent's less these. A leaf says G/(H + λ), G the sum of the pairs' first numbers.
 * Yields after each split. The leaves with their rows are left in `space.leaves`.
 */
export function* growBest(
  space: BestSpace,
  count: number,
  limits: BestLimits,
): Generator<void, TreeBuilder> {
  const { nodes, binned, leaves } = space;
  const tree = treeBuilder(binned);
  leaves.length = 0;
  leaves.push(newLeaf(space, 0, 0, count, 0));
  if (limits.maxLeaves > 1) {
    if (space.keeps && mayGrow(leaves[0], limits)) leaves[0].histograms = sumRows(space, leaves[0]);
    findSplits(space, leaves, limits);
  }
  while (leaves.length < limits.maxLeaves) {
    const at = indexOfBest(leaves);
    if (at < 0) break;
    const parent = leaves[at];
    const { node, start, end, depth, histograms } = parent;
    const { middle, missing } = partNode(nodes, start, end, parent.split!, binned);
    tree.setCover(node, end - start);
    const child = tree.split(
      node,
      missing ? parent.split! : withGreaterSide(parent.split!, start, middle, end),
    );
    const left = newLeaf(space, child, start, middle, depth + 1);
    const right = newLeaf(space, child + 1, middle, end, depth + 1);
    leaves.splice(at, 1, left, right);
    const last = leaves.length === limits.maxLeaves;
    if (!last && (mayGrow(left, limits) || mayGrow(right, limits))) {
      if (histograms) {
        const [small, great] = middle - start <= end - middle ? [left, right] : [right, left];
        small.histograms = sumRows(space, small, histograms);
        great.histograms = histograms;
      }
      findSplits(space, [left, right], limits);
    } else if (histograms) space.spare.push(histograms);
    yield;
  }
  for (const leaf of leaves) {
    giveBack(space, leaf);
    tree.setCover(leaf.node, leaf.end - leaf.start);
    tree.setLeaf(leaf.node, [leaf.totals.gradient / (leaf.totals.hessian + limits.l2)]);
  }
  return tree;
}

function newLeaf(
  { nodes }: BestSpace,
  node: number,
  start: number,
  end: number,
  depth: number,
): Leaf {
  let [gradient, hessian] = [0, 0];
  for (let i = start; i < end; i++) {
    gradient += nodes.pairs[2 * i];
    hessian += nodes.pairs[2 * i + 1];
  }
  const totals = { gradient, hessian, count: end - start };
  return { node, start, end, depth, totals, histograms: null, split: null };
}

function mayGrow({ start, end, depth }: Leaf, { minLeaf, maxDepth }: BestLimits): boolean {
  return depth < maxDepth && end - start >= 2 * minLeaf;
}

function indexOfBest(leaves: readonly Leaf[]): number {
  let [best, at] = [0, -1];
  leaves.forEach(({ split }, k) => {
    if (split && split.gain > best) [best, at] = [split.gain, k];
  });
  return at;
}

function sumRows(space: BestSpace, leaf: Leaf, rest?: Histograms): Histograms {
  const histograms = space.spare.pop()!;
  const rows = leafRows(space, leaf);
  histogramsInto({ ...histograms, ...rows, ...(rest && { rest }) }, space.block, leaf.totals.count);
  return histograms;
}

function leafRows({ nodes, binned }: BestSpace, { start, end }: Leaf) {
  return {
    bins: binned.bins,
    stride: binned.rows,
    rows: nodes.rows.subarray(start, end),
    pairs: nodes.pairs.subarray(2 * start, 2 * end),
  };
}

/** Finds the best split of new leaves, from their histograms or from some made block by block. */
function findSplits(space: BestSpace, leaves: readonly Leaf[], limits: BestLimits): void {
  for (const leaf of leaves) if (!mayGrow(leaf, limits)) giveBack(space, leaf);
  const open = leaves.filter((leaf) => mayGrow(leaf, limits));
  if (open.length === 0) return;
  const { binned, block } = space;
  const p = binned.order.length;
  const counted = (open[0].histograms ?? space.spare[0]).counts !== null;
  const sides = {
    l2: limits.l2,
    leastHessian: counted ? limits.minHessian : Math.max(limits.minHessian, limits.minLeaf),
    leastRows: limits.minLeaf,
  };
  const answers = open.map((_, k) => space.answers.subarray(k * p * SPLIT_ANSWER));
  if (space.keeps) {
    const questions = open.map(({ histograms, totals }, k) => ({
      answers: answers[k],
      histograms: histograms!,
      totals,
    }));
    bestSplitsInto(questions, p, sides);
  } else
    for (let first = 0; first < p; first += block) {
      const width = Math.min(block, p - first);
      const [histograms] = space.spare;
      open.forEach((leaf, k) => {
        const { totals } = leaf;
        const rows = leafRows(space, leaf);
        const bins = rows.bins.subarray(first * rows.stride);
        histogramsInto({ ...histograms, ...rows, bins }, width, totals.count);
        const part = answers[k].subarray(first * SPLIT_ANSWER);
        bestSplitsInto([{ answers: part, histograms, totals }], width, sides);
      });
    }
  open.forEach((leaf, k) => {
    leaf.split = greatest(answers[k], p, leaf.totals, limits);
    if (!leaf.split) giveBack(space, leaf);
  });
}

/** The split that gains most, the first of equal ones. */
function greatest(
  answers: Float64Array,
  p: number,
  { gradient, hessian }: NodeTotals,
  { l2 }: BestLimits,
): NodeSplit | null {
  let [best, at] = [-1, -1];
  for (let f = 0; f < p; f++)
    if (answers[f * SPLIT_ANSWER] > best) {
      best = answers[f * SPLIT_ANSWER];
      at = f;
    }
  return at < 0 ? null : splitFromAnswer(answers, at, at, gradient ** 2 / (hessian + l2));
}

function giveBack(space: BestSpace, leaf: Leaf): void {
  if (leaf.histograms) space.spare.push(leaf.histograms);
  leaf.histograms = null;
}
