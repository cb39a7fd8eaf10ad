import { taskNames } from "../data/index.ts";
import { needTable } from "../data/table.ts";
import { nameOf, RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import {
  type RecipeName,
  recipeNames,
  type TargetScaleName,
  targetScales,
} from "../network/index.ts";
import { type Kernel, kernelKinds } from "../posterior/index.ts";
import type { RunOptions } from "../run.ts";
import { combinationNames, copiesKinds } from "../select/index.ts";
import type { TaskCache } from "./fit/cached-tasks.ts";
import { type PosteriorName, posteriorNames } from "./fit/refit-output.ts";
import { missingPolicies, modelKinds, type PrepareOptions } from "./prepare/prepare.ts";
import { type SelectOptions, selectionMethods } from "./selection/choice.ts";
import type { SelectionOptions } from "./selection/fields.ts";

/** What `explain` is asked: the target, which rows and columns take part, how to train, and what to test. Only `target` is required. */
export interface ExplainOptions extends Omit<PrepareOptions, "key">, RunOptions, SelectionOptions {
  /** Default 1. */
  readonly seed?: number;
  /** `standard` (default) shrinks inputs that do not help; `paper` trains as the paper did. */
  readonly recipe?: RecipeName;
  /** Units of the hidden layers; default as many as rows held back from training say, from none to 128, 64. */
  readonly hidden?: readonly number[];
  /** Networks to train and average, default 1. */
  readonly ensemble?: number;
  /** Where the uncertainty of the output weights comes from, default `variational`: training. */
  readonly posterior?: PosteriorName;
  /** A number is learned as it is, or as its logarithm; default `auto`: what held-back rows say where it is skewed. */
  readonly targetScale?: TargetScaleName;
  /** Of the Gaussian process, default `rbf`. */
  readonly kernel?: Kernel["kind"];
  /** Worker threads for the ensemble; the result does not depend on them. */
  readonly workers?: number;
  /** Trained networks are looked for here before training, and put here after it: a run that was stopped goes on. */
  readonly cache?: TaskCache;
  /** What to record as options: the command's own words, for one. */
  readonly record?: Readonly<Record<string, unknown>>;
}

export const explainOptions: Readonly<Record<keyof ExplainOptions, true>> = {
  target: true,
  task: true,
  missing: true,
  testFraction: true,
  splitBy: true,
  time: true,
  folds: true,
  test: true,
  weights: true,
  classWeights: true,
  exclude: true,
  keep: true,
  families: true,
  groups: true,
  model: true,
  subsample: true,
  seed: true,
  recipe: true,
  hidden: true,
  ensemble: true,
  posterior: true,
  targetScale: true,
  kernel: true,
  workers: true,
  cache: true,
  record: true,
  select: true,
  stability: true,
  top: true,
  signal: true,
  onProgress: true,
};

/** `strata` is made from `families`. */
const selectOptions: Readonly<Record<Exclude<keyof SelectOptions, "strata">, true>> = {
  fdr: true,
  by: true,
  copies: true,
  draws: true,
  combination: true,
  refit: true,
  permutations: true,
};

/** Options for which null has always been as good as nothing. */
const nullable = new Set<keyof ExplainOptions>(["hidden", "groups", "select", "exclude", "keep"]);

/** The options of explain among more, for who asks it and something else. */
export function ofExplain<More extends Partial<ExplainOptions>>(
  options: More,
): Pick<More, keyof ExplainOptions & keyof More> {
  const own = Object.entries(options).filter(([name]) => Object.hasOwn(explainOptions, name));
  return Object.fromEntries(own) as Pick<More, keyof ExplainOptions & keyof More>;
}

/** Refuses what is not among the choices, and what would fail later in words that speak of no option. */
export function checkExplainOptions(where: string, options: Partial<ExplainOptions>): void {
  const { hidden, ensemble, workers, seed, subsample, top, classWeights } = options;
  const listed = (option: keyof ExplainOptions, list: readonly string[]): void =>
    refuseUnlisted(where, option, list, options[option]);
  const need = (option: keyof ExplainOptions, needed: string, holds: boolean): void => {
    const value: unknown = options[option];
    const none = value === undefined || (value === null && nullable.has(option));
    if (!none && !holds) throw wrongOption(where, option, needed, value);
  };
  need("target", "the name of a column", typeof options.target === "string");
  listed("task", taskNames);
  listed("missing", missingPolicies);
  listed("model", modelKinds);
  listed("recipe", recipeNames);
  listed("posterior", posteriorNames);
  listed("targetScale", targetScales);
  listed("kernel", kernelKinds);
  need("seed", "a whole number from 0 to 2^53 − 1", isCount(seed, 0));
  need(
    "hidden",
    "a list of layers of at least 1 unit, such as [32, 16]",
    isList(hidden) && hidden.length > 0 && hidden.every((units) => isCount(units)),
  );
  need("ensemble", "a number of networks, at least 1", isCount(ensemble));
  need("workers", "a number of threads, 0 or more", isCount(workers, 0));
  need("top", "a number of ranks, at least 1", isCount(top));
  need("subsample", "a number of rows, at least 1", isCount(subsample));
  for (const option of ["exclude", "keep"] as const)
    need(option, "a list of names of columns", isList(options[option]));
  for (const option of ["families", "splitBy", "time", "weights"] as const)
    need(option, "the name of a column", typeof options[option] === "string");
  if (options.test !== undefined) needTable(`${where}, test`, options.test);
  if (typeof classWeights === "string")
    refuseUnlisted(where, "classWeights", ["balanced"], classWeights);
  need(
    "classWeights",
    '"balanced", or a number for each class by its name, such as { yes: 3 }',
    typeof classWeights === "string" || isRecord(classWeights),
  );
  need(
    "groups",
    "a function from the variables' places to groups, such as (at) => [{ name, members: [at.get(column)] }]",
    typeof options.groups === "function",
  );
  if (options.select) checkSelect(where, options.select);
}

/** Refuses options without a target: what it is to be of comes from the types, which plain JavaScript has none of. */
export function checkTarget(where: string, { target }: { readonly target?: unknown }): void {
  if (typeof target !== "string")
    throw wrongOption(where, "target", "the name of a column", target);
}

function checkSelect(where: string, select: Omit<SelectOptions, "strata">): void {
  if (typeof select !== "object" || select === null)
    throw wrongOption(
      where,
      "select",
      '{ fdr, by }, such as { fdr: 0.1, by: "knockoffs" }',
      select,
    );
  refuseUnknown(`${where}, select`, select, selectOptions);
  const { fdr, by, copies, combination } = select;
  if (!(fdr > 0 && fdr < 1)) throw wrongOption(where, "fdr", "a rate inside (0, 1)", fdr);
  refuseUnlisted(where, "by", selectionMethods, by ?? null);
  refuseUnlisted(where, "copies", copiesKinds, copies);
  refuseUnlisted(where, "combination", combinationNames, combination);
}

function wrongOption(where: string, option: string, needed: string, got: unknown): RatewiseError {
  const what = `needs ${option} to be ${needed}, got ${Array.isArray(got) ? `[${got}]` : nameOf(got)}`;
  return new RatewiseError("domain", { in: where, what, option });
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isList = Array.isArray as (value: unknown) => value is readonly unknown[];

function isCount(value: unknown, from = 1): boolean {
  return Number.isSafeInteger(value) && (value as number) >= from;
}
