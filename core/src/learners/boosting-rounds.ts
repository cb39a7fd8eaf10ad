import type { Arena } from "../compute/arena.ts";
import { splitRows } from "../data/index.ts";
import { splitRowsByClass } from "../data/split.ts";
import { fold, type Key, subsample } from "../random/index.ts";
import type { Progress } from "../run.ts";
import type { BinnedColumns } from "./binned-columns.ts";
import type { BoostingLoss } from "./boosting-loss.ts";
import { type BestLimits, type BestSpace, bestSpace, growBest } from "./grow-best.ts";
import type { LearnerTask } from "./learner.ts";
import type { Tree } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";

export interface EarlyStopping {
  /** Of the rows, held back. Default 0.1. */
  readonly fraction?: number;
  /** Rounds without a better loss before the end. Default 10. */
  readonly patience?: number;
  /** What counts as better. Default 1e-7. */
  readonly tolerance?: number;
}

export interface BoostingPlan {
  readonly rounds: number;
  readonly rate: number;
  readonly subsample: number;
  readonly stopping: Required<EarlyStopping> | null;
  readonly limits: BestLimits;
}

export interface GrownRounds {
  readonly base: Float64Array;
  readonly trees: readonly Tree[];
  readonly heldOutLoss: Float64Array;
}

/** All rounds of boosting. Yields after each split. */
export function* growRounds(
  arena: Arena,
  binned: BinnedColumns,
  y: Float64Array,
  task: LearnerTask,
  loss: BoostingLoss,
  { rounds, rate, subsample: share, stopping, limits }: BoostingPlan,
  key: Key,
): Generator<Progress, GrownRounds> {
  const n = binned.rows;
  const { outputs } = loss;
  const { train, held } = holdBack(y, task, stopping?.fraction, fold(key, "held-out"));
  const base = loss.base(y, train);
  const scores = new Float64Array(n * outputs);
  base.forEach((value, k) => {
    scores.fill(value, k * n, (k + 1) * n);
  });
  const space = bestSpace(arena, binned, limits, !loss.constantHessian);
  const trees: Tree[] = [];
  const heldOutLoss: number[] = [];
  let best = 0;
  const size = Math.max(1, Math.round(share * train.length));
  loss.begin(scores);
  if (stopping) heldOutLoss.push(loss.mean(held, y, scores));
  for (let round = 0; round < rounds; round++) {
    const rows = share < 1 ? pick(train, fold(key, "round", round), size) : train;
    const all = rows.length === n;
    for (let k = 0; k < outputs; k++) {
      space.nodes.rows.set(rows);
      loss.pairsInto(space.nodes.pairs, rows, y, scores, k);
      const growing = growBest(space, rows.length, limits);
      let step = growing.next();
      for (; !step.done; step = growing.next())
        yield { phase: "boosting", done: round, total: rounds };
      trees.push(shrunk(step.value.finish(), rate));
      addTree(scores.subarray(k * n, (k + 1) * n), step.value, space, rate, all);
    }
    loss.begin(scores);
    if (stopping) {
      heldOutLoss.push(loss.mean(held, y, scores));
      const latest = heldOutLoss.length - 1;
      if (heldOutLoss[latest] < heldOutLoss[best] - stopping.tolerance) best = latest;
      if (latest - best >= stopping.patience) break;
    }
  }
  yield { phase: "boosting", done: rounds, total: rounds };
  if (stopping) trees.length = best * outputs;
  return { base, trees, heldOutLoss: Float64Array.from(heldOutLoss) };
}

function holdBack(
  y: Float64Array,
  task: LearnerTask,
  fraction: number | undefined,
  key: Key,
): { readonly train: Uint32Array; readonly held: Uint32Array } {
  if (fraction === undefined)
    return { train: Uint32Array.from(y, (_, i) => i), held: new Uint32Array() };
  const { train, test } =
    task.kind === "regression"
      ? splitRows(key, y.length, fraction)
      : splitRowsByClass(key, y, task.classes, fraction);
  return { train, held: test };
}

/** `size` of the rows, in their order. */
function pick(rows: Uint32Array, key: Key, size: number): Uint32Array {
  return subsample(key, rows.length, size).map((at) => rows[at]);
}

function shrunk(tree: Tree, rate: number): Tree {
  return { ...tree, value: tree.value.map((value) => rate * value) };
}

/** Adds the tree to the scores: leaf by leaf of its own rows, and by a walk for those it has not seen. */
function addTree(
  scores: Float64Array,
  tree: TreeBuilder,
  { nodes, leaves }: BestSpace,
  rate: number,
  sawAll: boolean,
): void {
  if (!sawAll) {
    for (let i = 0; i < scores.length; i++) scores[i] += rate * tree.leafValue(tree.leafOf(i));
    return;
  }
  for (const { node, start, end } of leaves) {
    const step = rate * tree.leafValue(node);
    for (let i = start; i < end; i++) scores[nodes.rows[i]] += step;
  }
}
