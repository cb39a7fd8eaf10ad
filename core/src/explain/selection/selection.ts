import { isNumeric, lineOf } from "../../data/encoding.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import type { RecipeName } from "../../network/index.ts";
import { executorInUse } from "../../parallel/index.ts";
import { fold, type Key } from "../../random/index.ts";
import type { Group } from "../../rate/index.ts";
import type { RunOptions } from "../../run.ts";
import {
  adjustPValues,
  type Partition,
  selectByKnockoffs,
  selectByPermutation,
} from "../../select/index.ts";
import { clause, mention, say } from "../../words/words.ts";
import type { TaskCache } from "../fit/cached-tasks.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { SelectionFields, SelectOptions } from "./choice.ts";
import { selectByOutputPermutation } from "./permutation.ts";
import { type NetworkScoreOptions, networkScore } from "./score.ts";
import { beyondReach, fewestSelected, guaranteeOf } from "./words.ts";

export interface SelectionInput extends RunOptions {
  readonly key: Key;
  readonly prepared: Prepared;
  readonly recipe: RecipeName;
  readonly hidden: readonly number[] | null;
  readonly ensemble: number;
  readonly workers?: number;
  readonly cache?: TaskCache;
  readonly stability?: boolean;
}

export interface Selection {
  readonly variables: readonly SelectionFields[];
  readonly groups: readonly SelectionFields[];
  readonly diagnostics: readonly Diagnostic[];
}

const REFITS = 199;

/** Selects variables, and groups where there are any, from all rows: the score needs none held back. */
export async function selectVariables(
  input: SelectionInput,
  options: SelectOptions,
): Promise<Selection> {
  const { prepared } = input;
  const { X, y, weights } = allRows(prepared);
  const classes = prepared.classes?.length ?? 0;
  const settings: NetworkScoreOptions = {
    link: classes === 0 ? "identity" : classes === 2 ? "logistic" : "softmax",
    ...(classes > 2 && { classes }),
    hidden: input.hidden,
    recipe: input.recipe,
    members: input.ensemble,
    measure: "direct",
    variables: prepared.variables.map(({ members }) => members),
    ...structureOfAll(prepared),
    ...(input.workers !== undefined && { workers: input.workers }),
    ...(input.cache && { cache: input.cache }),
    ...(weights && { weights }),
  };
  switch (options.by) {
    case "knockoffs":
      return byKnockoffs(X, y, input, options, settings);
    case "permutation":
      return byPermutation(X, y, input, options, settings);
  }
  return options.by satisfies never;
}

async function byKnockoffs(
  X: Matrix,
  y: Float64Array,
  input: SelectionInput,
  options: SelectOptions,
  settings: NetworkScoreOptions,
): Promise<Selection> {
  const { fdr, draws, combination, copies = "gaussian" } = options;
  const { stability = false } = input;
  const columns = copies === "genotype" ? genotypes(X, input.prepared) : X;
  const run = async (label: string, units: Partition) => {
    const { selected, qValues, diagnostics } = await selectByKnockoffs(columns, y, {
      ...runOf(input),
      key: fold(input.key, label),
      score: networkScore(settings),
      fdr,
      groups: units,
      copies: { kind: copies },
      ...(draws !== undefined && { draws }),
      ...(combination && { combination }),
      ...(executorInUse() && { atOnce: draws ?? 1 }),
    });
    const fields = selected.map((chosen, u) => ({
      selected: chosen,
      pValue: null,
      qValue: qValues?.[u] ?? null,
    }));
    return { fields, diagnostics };
  };
  const ofVariables = await run(
    "variables",
    input.prepared.variables.map(({ members }) => members),
  );
  const diagnostics: Diagnostic[] = [
    ...guaranteeOf(options, ofVariables.fields, input.prepared.variables.length, { stability }),
    ...namedColumns(ofVariables.diagnostics, input.prepared.variables),
  ];
  const units = input.prepared.groups.map(({ members }) => members);
  const disjoint = new Set(units.flat()).size === units.flat().length;
  if (units.length > 0 && !disjoint)
    diagnostics.push(
      diagnostic(
        "groups-overlap",
        say`The groups share variables, so knockoffs cannot exchange them one by one. They are ranked, not selected.${clause` Use ${mention("by", "permutation")}, or groups that share no variable.`}`,
      ),
    );
  const ofGroups = units.length > 0 && disjoint ? (await run("groups", units)).fields : [];
  if (
    ofGroups.length > 0 &&
    ofGroups.every(({ selected }) => !selected) &&
    fewestSelected(options) >= ofGroups.length
  )
    diagnostics.push(beyondReach(options, "groups", ofGroups.length, stability));
  if (copies === "gaussian" && areGenotypes(input.prepared, X))
    diagnostics.push(
      diagnostic(
        "genotype-columns",
        say`All columns are 0, 1 and 2, like genotypes. ${clause`${mention("copies", "genotype")} models such columns along the chromosome exactly; `}Gaussian copies only approximate them.`,
      ),
    );
  return {
    variables: ofVariables.fields,
    groups: ofGroups.length > 0 ? ofGroups : input.prepared.groups.map(() => NOTHING),
    diagnostics,
  };
}

const NOTHING: SelectionFields = { selected: null, pValue: null, qValue: null };

async function byPermutation(
  X: Matrix,
  y: Float64Array,
  input: SelectionInput,
  options: SelectOptions,
  settings: NetworkScoreOptions,
): Promise<Selection> {
  const { fdr, refit = false, strata } = options;
  // A weight goes with its row and, of a class, with its response: permuted responses would part them.
  if (settings.weights)
    throw new RatewiseError("domain", {
      in: "explain",
      what: "needs rows that count the same to permute responses, got weights",
      advice: say`select with ${mention("by", "knockoffs")}`,
    });
  const units = [...input.prepared.variables, ...input.prepared.groups].map(
    ({ members }) => members,
  );
  const whole = input.prepared.variables.map((_, v) => v);
  const common = {
    ...runOf(input),
    key: fold(input.key, "permutation"),
    fdr,
    ...(strata && { strata }),
  };
  const enough = Math.ceil((20 * whole.length) / fdr);
  const permutations =
    options.permutations ?? (refit ? REFITS : Math.min(50_000, Math.max(5000, enough)));
  const score = networkScore(settings);
  const { pValues, permutations: made } = refit
    ? await selectByPermutation(X, y, {
        ...common,
        permutations,
        units,
        ...(executorInUse() && { atOnce: 10 }),
        // Shares, as for the output layer alone: totals grow with the fit as such.
        score: async (...asked) => shares(await score(...asked), whole.length),
      })
    : await selectByOutputPermutation(X, y, { ...common, permutations, ...settings, units, whole });
  const fieldsOf = (p: Float64Array): SelectionFields[] => {
    const q = adjustPValues(p);
    return Array.from(p, (pValue, u) => ({ selected: q[u] <= fdr, pValue, qValue: q[u] }));
  };
  const variables = fieldsOf(pValues.subarray(0, whole.length));
  return {
    variables,
    groups: fieldsOf(pValues.subarray(whole.length)),
    diagnostics: guaranteeOf(options, variables, variables.length, { permutations: made }),
  };
}

/** Scores over the sum of the first `count`. */
function shares(scores: Float64Array, count: number): Float64Array {
  const total = scores.subarray(0, count).reduce((sum, value) => sum + value, 0);
  return total > 0 ? scores.map((value) => value / total) : scores;
}

function runOf({ signal, onProgress }: RunOptions): RunOptions {
  return { ...(signal && { signal }), ...(onProgress && { onProgress }) };
}

/** What ties training rows and test rows together, in the order of {@link allRows}. */
function structureOfAll({
  structure: { train, test },
}: Prepared): Pick<NetworkScoreOptions, "structure"> {
  if (!train || !test) return {};
  const values = [...train.values, ...test.values];
  return {
    structure:
      train.kind === "time"
        ? { kind: "time", values: Float64Array.from(values) }
        : { kind: "groups", values: Int32Array.from(values) },
  };
}

/** Training rows, then test rows. */
function allRows({ train, test }: Prepared): {
  X: Matrix;
  y: Float64Array;
  weights: Float64Array | null;
} {
  const { cols } = train.X;
  const data = new Float64Array((train.X.rows + test.X.rows) * cols);
  data.set(train.X.data);
  data.set(test.X.data, train.X.data.length);
  const y = new Float64Array(train.y.length + test.y.length);
  y.set(train.y);
  y.set(test.y, train.y.length);
  const weights =
    train.weights && test.weights ? Float64Array.from([...train.weights, ...test.weights]) : null;
  return { X: matrix(train.X.rows + test.X.rows, cols, data), y, weights };
}

/** Whether every column is numbers 0, 1 and 2, with a 2 in some. */
function areGenotypes({ encoding }: Prepared, X: Matrix): boolean {
  const { variables } = encoding;
  if (variables.length !== X.cols) return false;
  let two = false;
  for (let e = 0; e < X.data.length; e++) {
    const variable = variables[e % X.cols];
    if (!isNumeric(variable)) return false;
    const genotype = genotypeOf(rawValue(variable, X.data[e]));
    if (genotype === null) return false;
    two ||= genotype === 2;
  }
  return two;
}

/** 0, 1 or 2 where a number is one but for the rounding of single precision, else null. */
function genotypeOf(raw: number): number | null {
  const whole = Math.round(raw);
  return Math.abs(raw - whole) < 1e-3 && whole >= 0 && whole <= 2 ? whole : null;
}

/** The columns before they were standardised, which were 0, 1 and 2. */
function genotypes(X: Matrix, { encoding }: Prepared): Matrix {
  const { cols } = X;
  return matrix(
    X.rows,
    cols,
    X.data.map((value, e) => {
      const variable = encoding.variables[e % cols];
      if (!(variable && isNumeric(variable)) || encoding.variables.length !== cols)
        throw new RatewiseError("domain", {
          in: "explain",
          what: "needs columns of genotypes 0, 1, 2 for genotype copies, got a category",
          option: "copies",
          advice: say`use ${mention("copies", "gaussian")}`,
        });
      const raw = rawValue(variable, value);
      const genotype = genotypeOf(raw);
      if (genotype === null)
        throw new RatewiseError("domain", {
          in: "explain",
          what: `needs genotypes 0, 1, 2 for genotype copies, got ${Number(raw.toPrecision(6))} in column ${variable.name}`,
          option: "copies",
          advice: say`use ${mention("copies", "gaussian")}, or ${mention("exclude")} it`,
        });
      return genotype;
    }),
  );
}

function rawValue(variable: Parameters<typeof lineOf>[0], encoded: number): number {
  const { centre, scale } = lineOf(variable);
  return encoded * scale + centre;
}

const NAMED = 5;

/** Columns of a diagnostic as the names of their variables. */
function namedColumns(
  diagnostics: readonly Diagnostic[],
  variables: readonly Group[],
): Diagnostic[] {
  return diagnostics.map((note) => {
    if (note.code !== "copies-near-originals") return note;
    const { code, message, columns } = note;
    const close = new Set(columns);
    const names = variables
      .filter(({ members }) => members.some((j) => close.has(j)))
      .map(({ name }) => name);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    const named = `${message} These are ${names.slice(0, NAMED).join(", ")}${more}.`;
    return diagnostic(code, named, { columns, names });
  });
}
