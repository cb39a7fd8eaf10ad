import { Arena } from "../compute/arena.ts";
import { defineTask, type TaskKind } from "../parallel/index.ts";
import { workersHere } from "../parallel/workers-here.ts";
import { fold, type Key, uniformInteger, uniforms } from "../random/index.ts";
import { drive, type Progress } from "../run.ts";
import type { BinnedColumns } from "./binned-columns.ts";
import { type DeepLimits, type DeepSpace, deepSpace, growDeep } from "./grow-deep.ts";
import type { Tree } from "./tree.ts";

export interface ForestTreesPayload {
  readonly binned: BinnedColumns;
  /** Numbers, or class indices where `classes` is not 0. */
  readonly target: Float64Array;
  readonly classes: number;
  readonly limits: DeepLimits;
  readonly bootstrap: boolean;
  readonly key: Key;
  /** Trees first … end − 1 of the forest. */
  readonly first: number;
  readonly end: number;
}

/** A worker is ended, not asked to end: it need not listen often. A turn of the event loop takes a millisecond. */
const WORKER_SLICE_MS = 200;

/** Grows some trees of a forest, each from a key of its own. */
export const growForestTrees: TaskKind<ForestTreesPayload, Tree[]> = defineTask(
  "grow-forest-trees",
  async (payload: ForestTreesPayload, context): Promise<Tree[]> => {
    const { binned, classes, limits } = payload;
    const arena = new Arena();
    try {
      const bins = arena.bytes(binned.bins.length);
      bins.set(binned.bins);
      const all = limits.maxFeatures === binned.order.length;
      const space = deepSpace(arena, { ...binned, bins }, classes, all);
      return await drive(
        growAll(space, payload),
        context,
        workersHere() === 0 ? WORKER_SLICE_MS : undefined,
      );
    } finally {
      arena.free();
    }
  },
);

function* growAll(
  space: DeepSpace,
  { target, limits, bootstrap, key, first, end }: ForestTreesPayload,
): Generator<Progress, Tree[]> {
  const trees: Tree[] = [];
  const weights = new Float64Array(target.length).fill(1);
  const progress = (): Progress => ({ phase: "forest", done: trees.length, total: end - first });
  for (let t = first; t < end; t++) {
    const own = fold(key, "tree", t);
    if (bootstrap) drawWithReplacement(weights, fold(own, "rows"));
    const growing = growDeep(space, target, weights, limits, uniforms(fold(own, "nodes")));
    for (let step = growing.next(); ; step = growing.next()) {
      if (step.done) {
        trees.push(step.value);
        break;
      }
      yield progress();
    }
    yield progress();
  }
  return trees;
}

/** How often each of n rows comes in n draws. */
function drawWithReplacement(counts: Float64Array, key: Key): void {
  const next = uniforms(key);
  counts.fill(0);
  for (let i = 0; i < counts.length; i++) counts[uniformInteger(next, counts.length)]++;
}
