import { entropy } from "../../rate/entropy.ts";
import type { RateResult } from "../../rate/index.ts";
import type { ColumnRates } from "../fit/column-rates.ts";
import type { Fitted } from "../fit/fitted-model.ts";
import type { Asked } from "../prepare/prepared.ts";
import type {
  DirectShare,
  ExplainedClass,
  ExplainedContrast,
  ExplainedGroup,
  ExplainedVariable,
} from "./rows.ts";
import { type ScoreRow, scoreRowOf, sharesAndRanks, summedScores } from "./scores.ts";

export interface Importance {
  readonly variables: readonly ExplainedVariable[];
  readonly groups: readonly ExplainedGroup[];
  readonly classes: readonly ExplainedClass[] | null;
  /** Every pair of up to 10 classes of three or more. */
  readonly contrasts: readonly ExplainedContrast[] | null;
  readonly delta: number | null;
  readonly ess: number | null;
}

const NOT_ASKED = { selected: null, pValue: null, qValue: null } as const;

/** The rows of result.json from the scores of columns, variables and groups; nobody stands in for another yet. */
export function importanceRows(asked: Asked, { rate, direct }: Fitted): Importance {
  const { results } = rate;
  const { groups, classes } = asked;
  const names = asked.variables.map(({ name }) => name);
  const p = names.length;
  const scores = summedScores(results, 0, p);
  const groupScores = summedScores(results, p, p + groups.length);
  const directShares = direct && sharesAndRanks(direct.scores.subarray(0, p));
  const groupDirect = direct && sharesAndRanks(direct.scores.subarray(p));
  return {
    variables: names.map((name, j) => ({
      ...scoreRowOf(scores, name, j),
      ...moments(asked, results, j),
      direct: shareOf(directShares, j),
      standInFor: null,
      ...NOT_ASKED,
      topK: null,
      rankInterval: null,
    })),
    groups: groups.map(({ name, size }, g) => ({
      ...scoreRowOf(groupScores, name, g),
      size,
      direct: shareOf(groupDirect, g),
      ...NOT_ASKED,
    })),
    classes: classRows(results, classes, names),
    contrasts: contrastRows(rate.contrasts, classes, names),
    ...(entropy(scores.rate) ?? { delta: null, ess: null }),
  };
}

function shareOf(
  from: { readonly rate: Float64Array; readonly rank: Uint32Array } | null,
  at: number,
): DirectShare | null {
  return from && { rate: from.rate[at], rank: from.rank[at] };
}

/** Mean and sd of a number's effect; texts have no direction, an expanded number has several columns, and a softmax has one per class. */
function moments(
  { variables, directions }: Asked,
  results: readonly RateResult[],
  variable: number,
): { mean: number | null; sd: number | null } {
  const several = variables[variable].members.length > 1 || results.length > 1;
  if (directions[variable] === 0 || several) return { mean: null, sd: null };
  const [column] = variables[variable].members;
  const { mean, sd } = results[0].variables;
  return { mean: directions[variable] * mean[column], sd: sd[column] };
}

function classRows(
  results: readonly RateResult[],
  classes: Asked["classes"],
  names: readonly string[],
): ExplainedClass[] | null {
  if (results.length === 1) return null;
  return results.map((result, c) => ({ class: classes![c], variables: rowsOf(result, names) }));
}

function contrastRows(
  contrasts: ColumnRates["contrasts"],
  classes: Asked["classes"],
  names: readonly string[],
): ExplainedContrast[] | null {
  if (contrasts.length === 0) return null;
  return contrasts.map(({ between: [a, b], result }) => ({
    between: [classes![a], classes![b]],
    variables: rowsOf(result, names),
  }));
}

function rowsOf(result: RateResult, names: readonly string[]): ScoreRow[] {
  const scores = summedScores([result], 0, names.length);
  return names.map((name, j) => scoreRowOf(scores, name, j));
}
