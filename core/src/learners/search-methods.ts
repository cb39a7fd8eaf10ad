import { exp, log } from "../elementary/index.ts";
import { RatewiseError } from "../errors.ts";
import { fold, type Key, uniformInteger, uniforms } from "../random/index.ts";
import { type BoostingSettings, boostingLearner } from "./boosting.ts";
import { type ForestSettings, forestLearner } from "./forest.ts";
import { groupLassoLearner } from "./group-lasso-learner.ts";
import type { Learner } from "./learner.ts";

/** Methods whose settings can be searched. A group forest is a forest whose groups are permuted whole. */
export const searchMethods = ["forest", "boosting", "group-lasso", "group-forest"] as const;
export type SearchMethod = (typeof searchMethods)[number];

/** A method with settings, as plain data: a worker makes the learner from it. */
export interface LearnerSetup {
  readonly method: SearchMethod;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Columns of each group, for the methods that have groups. */
  readonly groups?: readonly (readonly number[])[];
}

/** The learner that a method and its settings describe, ready to fit. */
export function learnerFrom({ method, settings, groups }: LearnerSetup): Learner {
  switch (method) {
    case "forest":
    case "group-forest":
      return { ...forestLearner(settings as ForestSettings), name: method } as Learner;
    case "boosting":
      return boostingLearner(settings as BoostingSettings) as Learner;
    case "group-lasso":
      return groupLassoLearner({ ...settings, ...(groups && { groups }) }) as Learner;
    default:
      throw new RatewiseError("unknown-name", {
        in: "learnerFrom",
        what: `needs one of ${searchMethods.join(", ")}, got "${method satisfies never}"`,
      });
  }
}

/** What a setting is drawn from: one of a list, or log-uniform between two numbers. */
type Range = readonly unknown[] | { readonly from: number; readonly to: number };

const FOREST: Readonly<Record<string, Range>> = {
  trees: [200],
  maxFeatures: ["sqrt", 1 / 3, 2 / 3, 1],
  minLeaf: [1, 2, 5, 10],
  maxDepth: [5, 10, 20, undefined],
  bootstrap: [true, false],
};

/** The grids of the searches; docs/compare.md states them too. The paper prints none. */
export const searchSpaces: Readonly<Record<SearchMethod, Readonly<Record<string, Range>>>> = {
  forest: FOREST,
  "group-forest": FOREST,
  boosting: {
    rounds: [100, 200, 400],
    rate: { from: 0.02, to: 0.3 },
    maxLeaves: [3, 5, 8, 16, 31],
    minLeaf: [5, 10, 20, 50],
    subsample: [0.5, 0.75, 1],
    l2: [0, 1, 10],
  },
  "group-lasso": { lambdaRatio: { from: 0.001, to: 1 } },
};

/** The first candidate: what the method does without a search, so that no search ends below it where it was scored. */
const DEFAULTS: Readonly<Record<SearchMethod, Readonly<Record<string, unknown>>>> = {
  forest: { trees: 200 },
  "group-forest": { trees: 200 },
  boosting: {},
  // λ by a cross-validation of its own within each fold.
  "group-lasso": {},
};

/** Settings number `index` of a search: the defaults, then one draw after another, each from its own stream. */
export function candidateSettings(
  method: SearchMethod,
  key: Key,
  index: number,
): Readonly<Record<string, unknown>> {
  if (index === 0) return DEFAULTS[method];
  const settings: Record<string, unknown> = {};
  for (const [name, range] of Object.entries(searchSpaces[method])) {
    const next = uniforms(fold(key, "candidate", index, name));
    const value =
      "from" in range ? logUniform(range, next()) : range[uniformInteger(next, range.length)];
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

function logUniform({ from, to }: { from: number; to: number }, share: number): number {
  return from * exp(log(to / from) * share);
}
