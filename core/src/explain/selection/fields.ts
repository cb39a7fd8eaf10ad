import { columnNamed, type Table } from "../../data/index.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { clause, mention, say } from "../../words/words.ts";
import type { FittedModel } from "../fit/fitted-model.ts";
import { networkResponse } from "../fit/network-response.ts";
import { withoutExpansions } from "../prepare/expand.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { SelectionFields, SelectOptions, StabilityFields } from "./choice.ts";
import { type SelectionInput, selectVariables } from "./selection.ts";
import { rankingStability } from "./stability.ts";

/** What `explain` may be asked for beyond a ranking. */
export interface SelectionOptions {
  /** Select variables at a false discovery rate; default: not. */
  readonly select?: Omit<SelectOptions, "strata">;
  /** A column of families: permuted responses stay within them. It is left out of the predictors. */
  readonly families?: string;
  /** Say how sure the ranking is; default false. */
  readonly stability?: boolean;
  /** The k of "among the first k", default 10, or all where there are fewer variables. */
  readonly top?: number;
}

/** What was asked for, with what the networks were trained by. */
export interface SelectionRun extends Omit<SelectionInput, "prepared">, SelectionOptions {}

/** Fields for the rows of variables and of groups: only those that were asked for. */
export interface SelectionRows {
  readonly variables: readonly Partial<SelectionFields & StabilityFields>[];
  readonly groups: readonly Partial<SelectionFields>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The k of "among the first k" where none was asked for, and as many as there are of fewer variables. */
const FIRST = 10;

/** What was asked for beyond a ranking, and what it means in words. */
export async function selectionOf(
  source: Table,
  prepared: Prepared,
  { parts }: FittedModel,
  options: SelectionRun,
): Promise<SelectionRows> {
  const { select, stability = false, key } = options;
  const { networks, outputWeights } = parts;
  const { variables } = prepared;
  if ((select || stability) && networks.length === 0)
    throw new RatewiseError("domain", {
      in: "explain",
      what: "needs a network to select variables or to tell how sure the ranking is, got a Gaussian process",
      option: "model",
      advice: "leave the model to its default",
    });
  const top = options.top ?? Math.min(FIRST, variables.length);
  if (stability && options.top !== undefined && top > variables.length)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `top can be at most the number of variables, ${variables.length}; got ${top}`,
      option: "top",
    });
  const { families } = options;
  const strata = families === undefined ? undefined : familiesOf(source, prepared, families);
  const selection =
    select &&
    (await selectVariables(
      { ...options, prepared: withoutExpansions(prepared) },
      { ...select, ...(strata && { strata }) },
    ));
  const ranks =
    stability &&
    (await rankingStability({
      key,
      networks,
      ...(outputWeights && { outputWeights }),
      X: prepared.train.X,
      y: networkResponse(prepared),
      variables,
      top,
      ...(options.signal && { signal: options.signal }),
      ...(options.onProgress && { onProgress: options.onProgress }),
    }));
  return {
    variables: variables.map((_, v) => ({
      ...selection?.variables[v],
      ...(ranks && {
        topK: ranks.inTop[v],
        rankInterval: [ranks.lower[v], ranks.upper[v]] as const,
      }),
    })),
    groups: selection?.groups ?? [],
    diagnostics: [
      ...(selection?.diagnostics ?? []),
      ...(ranks ? [stabilityWords(top, variables.length, networks.length)] : []),
    ],
  };
}

/** The family of every row, training rows first. */
function familiesOf(source: Table, prepared: Prepared, name: string): (number | string)[] {
  const column = columnNamed(source, name);
  const missing = [...prepared.rows.train, ...prepared.rows.test].filter((row) =>
    column.kind === "number" ? Number.isNaN(column.values[row]) : column.codes[row] < 0,
  );
  if (missing.length > 0)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `needs a family in every row in use, got ${missing.length} missing in column ${name}`,
      option: "families",
      advice: "fill them in, or leave those rows out",
    });
  return [...prepared.rows.train, ...prepared.rows.test].map((row) =>
    column.kind === "number" ? column.values[row] : column.codes[row],
  );
}

function stabilityWords(top: number, count: number, members: number): Diagnostic {
  // That all are among all of them goes without saying.
  const chance = top < count ? ` and the probability of being among the first ${top}` : "";
  return diagnostic(
    "stability",
    say`Rank intervals (90%)${chance} come from ${
      members === 1 ? "the network's own uncertainty" : `the mixture of ${members} networks`
    } and the sampling noise of the rows; the hidden layers stay as trained, so another training run may differ more.${
      members === 1 ? clause` ${mention("ensemble", 5)} includes some of that.` : ""
    }`,
    { top },
  );
}
