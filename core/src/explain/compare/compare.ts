import type { Table } from "../../data/index.ts";
import { needTable } from "../../data/table.ts";
import { type Diagnostic, diagnostic, isAboutRate } from "../../diagnostic.ts";
import { nameOf, RatewiseError, refuseUnknown } from "../../errors.ts";
import {
  accuracy,
  rSquared,
  type ShuffleTest,
  shuffleTest,
  spearman,
} from "../../evaluate/index.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import { fold, keyFromSeed } from "../../random/index.ts";
import type { Group } from "../../rate/index.ts";
import type { RunOptions } from "../../run.ts";
import { didYouMean } from "../../words/suggest.ts";
import { mention, say } from "../../words/words.ts";
import { schemaVersion } from "../document/result.ts";
import { type Explained, explain } from "../explain.ts";
import { asMatrix, likeliestClasses, type Model, predictRows } from "../fit/model.ts";
import { checkExplainOptions, checkTarget, type ExplainOptions, ofExplain } from "../options.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { CompareContext, ComparedRows, MethodScores } from "./context.ts";
import type { CompareDocument, ComparedMethod, ComparedRow } from "./document.ts";
import { type CompareMethod, compareMethods, formerMethods, methodTable } from "./methods.ts";
import { ranksNothing, sharedRanks, shuffleOrder } from "./ranks.ts";
import { scoreMethods } from "./score-methods.ts";

/** What is asked of the methods, whatever network they look at. */
export interface CompareMethodsOptions extends RunOptions {
  /** Default: all. */
  readonly methods?: readonly CompareMethod[];
  /** Search the settings of mimics that have some; default: their defaults. */
  readonly search?: { readonly candidates: number; readonly folds: number };
  /** Of every permutation and shuffle, default 10. */
  readonly repeats?: number;
  /** Of the shuffle test, default 10, which is the least. */
  readonly randomOrders?: number;
  /** Milliseconds from any beginning, for the seconds of each method. Default: none, and seconds are null. */
  readonly clock?: () => number;
  /** Worker threads; the result does not depend on them. */
  readonly workers?: number;
}

export interface CompareOptions
  extends CompareMethodsOptions,
    Pick<
      ExplainOptions,
      | "target"
      | "task"
      | "missing"
      | "testFraction"
      | "splitBy"
      | "time"
      | "test"
      | "exclude"
      | "keep"
      | "seed"
      | "recipe"
      | "targetScale"
      | "hidden"
      | "ensemble"
      | "groups"
      | "record"
    > {}

const known: Readonly<Record<keyof CompareOptions, true>> = {
  target: true,
  task: true,
  methods: true,
  search: true,
  repeats: true,
  randomOrders: true,
  clock: true,
  missing: true,
  testFraction: true,
  splitBy: true,
  time: true,
  test: true,
  exclude: true,
  keep: true,
  seed: true,
  recipe: true,
  targetScale: true,
  hidden: true,
  ensemble: true,
  groups: true,
  workers: true,
  record: true,
  signal: true,
  onProgress: true,
};

export interface Compared {
  readonly document: CompareDocument;
  /** The network that all methods were asked about: the one that {@link explain} trains. */
  readonly model: Model;
}

/**
 * All methods on one network: trains it exactly as {@link explain} does, scores the variables by each method, and lets the
 * shuffle test on held-out rows say which ranking the network itself agrees with.
 */
export async function compare(source: Table, options: CompareOptions): Promise<Compared> {
  needTable("compare", source);
  refuseUnknown("compare", options, known);
  checkTarget("compare", options);
  checkExplainOptions("compare", ofExplain(options));
  checkMethods(options.methods ?? compareMethods);
  if (options.search != null)
    refuseUnknown("compare, search", options.search, { candidates: true, folds: true });
  return compareExplained(await explain(source, ofExplain(options)), options);
}

/** The same for a network that {@link explain} has trained already, on the table as that prepared it. */
export async function compareExplained(
  { document: explained, model, prepared }: Explained,
  options: CompareMethodsOptions,
): Promise<Compared> {
  const { methods = compareMethods, search = null, repeats = 10, randomOrders = 10 } = options;
  checkMethods(methods);
  if (model.process)
    throw new RatewiseError("domain", {
      in: "compare",
      what: "needs a network, got a Gaussian process",
      option: "model",
    });
  if (prepared.folds)
    throw new RatewiseError("domain", {
      in: "compare",
      what: say`needs rows that no network saw, but with ${mention("folds")} each was seen by some`,
      advice: say`use ${mention("testFraction")}`,
    });
  const { seed } = explained;
  const { columnNames, variables, groups } = prepared;
  const key = fold(keyFromSeed(seed), "compare");
  const predict = (X: Matrix): Matrix => predictionsOf(model, X);
  const context: CompareContext = {
    prepared,
    networks: model.networks,
    train: rowsOf(prepared.train, predict),
    test: rowsOf(prepared.test, predict),
    predict,
    columnNames,
    variables,
    groups,
    search,
    repeats,
    key,
    ...(options.workers !== undefined && { workers: options.workers }),
    run: runOf(options),
  };
  const results: { name: CompareMethod; seconds: number | null; scores: MethodScores }[] = [];
  for (const name of methods) {
    options.signal?.throwIfAborted();
    const started = options.clock?.();
    const scores = await scoreMethods[name](context);
    const seconds = started === undefined ? null : (options.clock!() - started) / 1000;
    results.push({ name, seconds, scores });
  }
  const ranking = results.filter(({ scores }) => !ranksNothing(scores.variables));
  const orders = ranking.map(({ scores }) => shuffleOrder(scores.variables));
  const shuffled = await shuffleTest(heldOutScore(context), context.test.X, orders, {
    ...context.run,
    key: fold(key, "shuffle"),
    variables: variables.map(({ name, members }) => ({ name, columns: members })),
    repeats,
    randomOrders,
  });
  const document: CompareDocument = {
    kind: "compare",
    schema: schemaVersion,
    task: explained.task,
    target: explained.target,
    model: explained.model,
    scores: explained.scores,
    methods: results.map(({ name, seconds, scores }) => aboutMethod(name, seconds, scores)),
    variables: rowsBy(variables, results, "variables"),
    groups: rowsBy(groups, results, "groups").map((row, g) => ({ ...row, size: groups[g].size })),
    spearman: results.map((a) => results.map((b) => rankCorrelation(a.scores, b.scores))),
    shuffle: {
      metric: explained.model.heldOut.metric,
      rows: Array.from(prepared.rows.test, (row) => row - prepared.firstTest + 1),
      counts: shuffled.counts,
      repeats,
      randomOrders,
      curves: curvesOf(
        ranking.map(({ name }) => name),
        shuffled,
      ),
    },
    diagnostics: [
      ...explained.diagnostics.filter((each) => !isAboutRate(each)),
      ...methodDiagnostics(results),
    ],
    excluded: explained.excluded,
    seed,
    engine: explained.engine,
    version: explained.version,
    options: { methods, search, repeats, randomOrders, ...explained.options },
    dataHash: explained.dataHash,
  };
  return { document, model };
}

/** `; "gradient-rate" is called "gradient" now`, or nothing. */
function renamed(name: string): string {
  const now = formerMethods.get(name);
  return now === undefined ? "" : `; "${name}" is called "${now}" now`;
}

function noMethod(name: unknown): RatewiseError {
  const known = compareMethods.join(", ");
  const near = typeof name === "string" ? renamed(name) || didYouMean(name, compareMethods) : "";
  return new RatewiseError("unknown-name", {
    in: "compare",
    what: `needs methods of ${known}, got ${nameOf(name)}${near}`,
    option: "methods",
    method: name,
  });
}

function checkMethods(methods: readonly CompareMethod[]): void {
  if (!Array.isArray(methods))
    throw new RatewiseError("domain", {
      in: "compare",
      what: `needs methods as a list, got ${nameOf(methods)}`,
      option: "methods",
    });
  const unknown = methods.find((name) => !compareMethods.includes(name));
  if (unknown !== undefined || methods.includes(undefined as never)) throw noMethod(unknown);
  if (methods.length === 0 || new Set(methods).size < methods.length)
    throw new RatewiseError("domain", {
      in: "compare",
      what: `needs different methods, got [${methods}]`,
    });
}

function runOf({ signal, onProgress }: RunOptions): RunOptions {
  return { ...(signal && { signal }), ...(onProgress && { onProgress }) };
}

/** Posterior means, or class probabilities, of encoded rows. */
function predictionsOf(model: Model, X: Matrix): Matrix {
  const design = { data: Float32Array.from(X.data), rows: X.rows, cols: X.cols };
  const { mean, probabilities } = predictRows(model, design);
  return mean ? matrix(X.rows, 1, mean) : matrix(X.rows, model.classes!.length, probabilities!);
}

function rowsOf({ X, y }: Prepared["train"], predict: (X: Matrix) => Matrix): ComparedRows {
  const rows = asMatrix(X);
  return { X: rows, y, predictions: predict(rows) };
}

/** R² or accuracy of the network on rows like the held-out ones. */
function heldOutScore({ predict, test, prepared }: CompareContext): (X: Matrix) => number {
  return (X) => {
    const { data, cols } = predict(X);
    return prepared.task === "regression"
      ? rSquared(data, test.y, prepared.test.weights)
      : accuracy(likeliestClasses(data, cols), test.y, prepared.test.weights);
  };
}

/** What the methods say of themselves, once where two share a mimic; and which of them rank nothing. */
function methodDiagnostics(
  results: readonly { readonly name: CompareMethod; readonly scores: MethodScores }[],
): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const { name, scores } of results) {
    for (const note of scores.diagnostics ?? [])
      if (!told.has(note.message)) told.set(note.message, { ...note, method: name });
    if (ranksNothing(scores.variables))
      told.set(name, {
        ...diagnostic(
          "ranks-nothing",
          `${name} found nothing. It gives every variable the same score (${scores.variables[0]}), so it has no ranks and is not in the shuffle test.`,
        ),
        method: name,
      });
  }
  return [...told.values()];
}

function rankCorrelation(a: MethodScores, b: MethodScores): number | null {
  const value = spearman(a.variables, b.variables);
  return Number.isNaN(value) ? null : value;
}

function aboutMethod(
  name: CompareMethod,
  seconds: number | null,
  scores: MethodScores,
): ComparedMethod {
  const { search, mimicScore = null } = scores;
  return {
    name,
    of: methodTable[name].of,
    seconds,
    mimicScore,
    search: search
      ? {
          method: search.method,
          folds: search.folds,
          best: search.best,
          candidates: search.candidates.map((candidate) => ({
            ...candidate,
            scores: Array.from(candidate.scores),
          })),
        }
      : null,
  };
}

function rowsBy(
  of: readonly Group[],
  results: readonly { name: CompareMethod; scores: MethodScores }[],
  part: "variables" | "groups",
): ComparedRow[] {
  const ranks = results.map(({ scores }) => sharedRanks(scores[part]));
  return of.map(({ name }, index) => {
    const scores: Record<string, number> = {};
    const places: Record<string, number | null> = {};
    const standardErrors: Record<string, number> = {};
    results.forEach((result, m) => {
      scores[result.name] = result.scores[part][index];
      places[result.name] = ranks[m][index];
      const errors = result.scores.standardErrors?.[part];
      if (errors) standardErrors[result.name] = errors[index];
    });
    return { name, scores, ranks: places, standardErrors };
  });
}

function curvesOf(
  names: readonly CompareMethod[],
  { curves, random }: ShuffleTest,
): CompareDocument["shuffle"]["curves"] {
  return [...curves, random].map(({ scores, standardErrors, area, areaStandardError }, m) => ({
    name: names[m] ?? ("random" as const),
    scores: Array.from(scores),
    standardErrors: Array.from(standardErrors),
    area,
    areaStandardError,
  }));
}
