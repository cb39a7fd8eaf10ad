import type { VariableGroup } from "../../data/index.ts";
import { entropy } from "../../rate/entropy.ts";
import type { RateResult } from "../../rate/index.ts";
import type {
  DirectShare,
  ExplainedClass,
  ExplainedContrast,
  ExplainedGroup,
  ExplainedVariable,
} from "../document/explain-document.ts";
import type { Marginal } from "../fit/marginal.ts";
import type { Prepared } from "../prepare/prepare.ts";
import { scoreRowOf, sharesAndRanks, summedScores } from "./scores.ts";

export interface Importance {
  readonly variables: readonly ExplainedVariable[];
  readonly groups: readonly ExplainedGroup[];
  readonly classes: readonly ExplainedClass[] | null;
  readonly contrasts: readonly ExplainedContrast[] | null;
  readonly delta: number | null;
  readonly ess: number | null;
}

interface ImportanceInput {
  readonly prepared: Prepared;
  readonly groups: readonly VariableGroup[];
  readonly marginal: Marginal;
  /** Gradient divergences of the variables, then of the groups. */
  readonly direct: Float64Array;
}

const NOT_ASKED = { selected: null, pValue: null, qValue: null } as const;

/** The rows of result.json from the scores of columns, variables and groups; nobody stands in for another yet. */
export function importanceRows(input: ImportanceInput): Importance {
  const { prepared, groups, marginal, direct } = input;
  const { results } = marginal;
  const names = prepared.encoding.variables.map(({ name }) => name);
  const p = names.length;
  const scores = summedScores(results, 0, p);
  const directShares = sharesAndRanks(direct.subarray(0, p));
  const shareOf = (from: { rate: Float64Array; rank: Uint32Array }, at: number): DirectShare => ({
    rate: from.rate[at],
    rank: from.rank[at],
  });
  const groupScores = summedScores(results, p, p + groups.length);
  const groupDirect = sharesAndRanks(direct.subarray(p));
  return {
    variables: names.map((name, j) => ({
      ...scoreRowOf(scores, name, j),
      ...moments(prepared, results, j),
      direct: shareOf(directShares, j),
      standInFor: null,
      ...NOT_ASKED,
      topK: null,
      rankInterval: null,
    })),
    groups: groups.map(({ name, members }, g) => ({
      ...scoreRowOf(groupScores, name, g),
      size: new Set(members).size,
      direct: shareOf(groupDirect, g),
      ...NOT_ASKED,
    })),
    classes: classRows(prepared, results, names),
    contrasts: contrastRows(prepared, marginal, names),
    ...(entropy(scores.rate) ?? { delta: null, ess: null }),
  };
}

/** Mean and sd of a single column's effect; a category has several, and a softmax one a class. */
function moments(
  { encoding }: Prepared,
  results: readonly RateResult[],
  variable: number,
): { mean: number | null; sd: number | null } {
  const { kind, first } = encoding.variables[variable];
  if (kind === "category" || results.length > 1) return { mean: null, sd: null };
  const { mean, sd } = results[0].variables;
  return { mean: mean[first], sd: sd[first] };
}

function classRows(
  { classes }: Prepared,
  results: readonly RateResult[],
  names: readonly string[],
): ExplainedClass[] | null {
  if (results.length === 1) return null;
  return results.map((result, c) => {
    const scores = summedScores([result], 0, names.length);
    return {
      class: classes![c],
      variables: names.map((name, j) => scoreRowOf(scores, name, j)),
    };
  });
}

function contrastRows(
  { classes }: Prepared,
  { contrasts }: Marginal,
  names: readonly string[],
): ExplainedContrast[] | null {
  if (contrasts.length === 0) return null;
  return contrasts.map(({ between: [a, b], result }) => {
    const scores = summedScores([result], 0, names.length);
    return {
      between: [classes![a], classes![b]],
      variables: names.map((name, j) => scoreRowOf(scores, name, j)),
    };
  });
}
