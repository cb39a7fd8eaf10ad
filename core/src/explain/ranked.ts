import { nameOf, RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import type { RateResult } from "../rate/index.ts";
import type { ExplainedVariable } from "./answer/rows.ts";
import type { ScoreRow } from "./answer/scores.ts";
import { variableRow } from "./document/rank-document.ts";
import type { VariableRow } from "./document/result.ts";

export const rankings = ["direct", "rate"] as const;

export interface RankedOptions {
  /** Default `direct` where there are direct shares, else `rate`. */
  readonly by?: (typeof rankings)[number];
}

/** What {@link ranked} takes: an answer with its document, or a document by itself. */
export type RankedAnswer =
  | { readonly document: { readonly variables: readonly ExplainedVariable[] } }
  | { readonly variables: readonly ExplainedVariable[] };

/**
 * The variables of an answer, best first: of `explain`, of `explainNetwork`, or of `rate`. What was nullified has no rank and
 * stands last.
 *
 * @example
 * ```js
 * import { explain, ranked } from "@ratewise/core";
 * import { readTable } from "@ratewise/files";
 *
 * const answer = await explain(await readTable("flats.csv"), { target: "price", seed: 1 });
 * const names = ranked(answer, { by: "rate" }).map((v) => v.name);
 * console.log(names.length); // → 4
 * ```
 */
export function ranked(answer: RankedAnswer, options?: RankedOptions): ExplainedVariable[];
export function ranked(answer: RateResult, options?: RankedOptions): VariableRow[];
export function ranked(
  answer: RankedAnswer | RateResult,
  options: RankedOptions = {},
): (ExplainedVariable | VariableRow)[] {
  refuseUnknown("ranked", options, { by: true });
  refuseUnlisted("ranked", "by", rankings, options.by);
  const rows = rowsOf(answer);
  const known = rows.some((row) => directRank(row) !== null);
  const { by = known ? "direct" : "rate" } = options;
  if (by === "direct" && !known)
    throw new RatewiseError("domain", {
      in: "ranked",
      what: "needs direct shares, got an answer without them",
      advice: "rank by rate",
    });
  const place = (row: ScoreRow): number =>
    (by === "direct" ? directRank(row) : row.rank) ?? Number.POSITIVE_INFINITY;
  // The sort is stable, and two without a place are as they came.
  return [...rows].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

function rowsOf(answer: RankedAnswer | RateResult): readonly (ExplainedVariable | VariableRow)[] {
  if (typeof answer !== "object" || answer === null || !rowsIn(answer))
    throw new RatewiseError("domain", {
      in: "ranked",
      what: `needs an answer of explain, explainNetwork or rate, got ${nameOf(answer)}`,
    });
  if ("document" in answer) return answer.document.variables;
  if ("variant" in answer) return answer.variables.names.map((_, j) => variableRow(answer, j));
  return answer.variables;
}

function rowsIn(answer: object): boolean {
  return "document" in answer || "variables" in answer;
}

function directRank(row: ScoreRow & { readonly direct?: ExplainedVariable["direct"] }) {
  return row.direct?.rank ?? null;
}
