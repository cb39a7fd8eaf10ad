import type { ImportanceScores, RateResult } from "../../rate/result.ts";
import { version } from "../../version.ts";
import type { ScoreRow } from "../answer/scores.ts";
import {
  type GroupRow,
  type RankDocument,
  type RunRecord,
  schemaVersion,
  type VariableRow,
} from "./result.ts";
import { escapeUnsafe, safeJson } from "./safe-json.ts";

/** Rows that go into one piece of text. */
const PIECE = 1000;

function scoreRow(scores: ImportanceScores, name: string, j: number): ScoreRow {
  const rank = scores.rank[j];
  const orNull = (values: Float64Array | null): number | null =>
    values === null || rank === 0 || Number.isNaN(values[j]) ? null : values[j];
  return {
    name,
    rank: rank === 0 ? null : rank,
    rate: orNull(scores.rate),
    kld: orNull(scores.kld),
    kldExact: orNull(scores.kldExact),
    mutualInformation: orNull(scores.mutualInformation),
  };
}

/** Row j of the document's `variables`. */
export function variableRow({ variables }: RateResult, j: number): VariableRow {
  const { names, mean, sd } = variables;
  // Not spread: copies of a million rows outlive the collector's young generation and pile up.
  return Object.assign(scoreRow(variables, names[j], j), { mean: mean[j], sd: sd[j] });
}

function groupRow({ groups }: RateResult, g: number): GroupRow {
  const { name, ...scores } = scoreRow(groups!, groups!.names[g], g);
  return { name, size: groups!.sizes[g], ...scores };
}

/** The document of one ranking, as plain data. */
export function rankDocument(result: RateResult, record: RunRecord): RankDocument {
  const variables = result.variables.names.map((_, j) => variableRow(result, j));
  const groups = (result.groups?.names ?? []).map((_, g) => groupRow(result, g));
  return { ...before(result), variables, groups, ...after(result, record) };
}

/**
 * The same document as JSON, piece by piece and with one row per line: of a million variables no more
 * than a thousand are ever in one text.
 */
export function* rankDocumentText(result: RateResult, record: RunRecord): Generator<string> {
  yield `${safeJson(before(result)).slice(0, -1)},\n"variables":[\n`;
  yield* rowTexts(result.variables.names.length, (j) => variableRow(result, j));
  yield '],\n"groups":[\n';
  yield* rowTexts(result.groups?.names.length ?? 0, (g) => groupRow(result, g));
  yield `],\n${safeJson(after(result, record)).slice(1)}\n`;
}

function before({ variant }: RateResult): Pick<RankDocument, "kind" | "schema" | "variant"> {
  return { kind: "rank", schema: schemaVersion, variant };
}

function after(
  { delta, ess, posteriorRank, diagnostics }: RateResult,
  { seed, engine, options, dataHash }: RunRecord,
): Omit<RankDocument, "kind" | "schema" | "variant" | "variables" | "groups"> {
  return {
    delta,
    ess,
    posteriorRank,
    diagnostics,
    version,
    seed,
    engine,
    options,
    dataHash,
  };
}

function* rowTexts(count: number, row: (index: number) => object): Generator<string> {
  for (let from = 0; from < count; from += PIECE) {
    const to = Math.min(from + PIECE, count);
    const rows = Array.from({ length: to - from }, (_, i) => JSON.stringify(row(from + i)));
    yield `${escapeUnsafe(rows.join(",\n"))}${to < count ? "," : ""}\n`;
  }
}
