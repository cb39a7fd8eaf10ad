import { columnNamed, type Table } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import type { FittedModel } from "../fit/fitted-model.ts";
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
  /** The k of "among the first k", default 10. */
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

/** What was asked for beyond a ranking, and what it means in words. */
export async function selectionOf(
  source: Table,
  prepared: Prepared,
  { parts }: FittedModel,
  options: SelectionRun,
): Promise<SelectionRows> {
  const { select, stability = false, top = 10, key } = options;
  const { networks, outputWeights } = parts;
  const { variables } = prepared;
  if ((select || stability) && networks.length === 0)
    throw new RatewiseError("domain", {
      in: "explain",
      what: "needs a network to select variables or to tell how sure the ranking is, got a Gaussian process",
      advice: "leave the model to its default",
    });
  if (stability && options.top !== undefined && top > variables.length)
    throw new RatewiseError("domain", {
      in: "explain",
      what: `top can be at most the number of variables, ${variables.length}; got ${top}`,
    });
  const { families } = options;
  const strata = families === undefined ? undefined : familiesOf(source, prepared, families);
  const selection =
    select &&
    (await selectVariables(
      { ...options, prepared },
      { ...select, stability, ...(strata && { strata }) },
    ));
  const ranks =
    stability &&
    (await rankingStability({
      key,
      networks,
      ...(outputWeights && { outputWeights }),
      ...prepared.train,
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
      ...(ranks ? [stabilityWords(top, networks.length, variables.length)] : []),
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
      advice: "fill them in, or leave those rows out",
    });
  return [...prepared.rows.train, ...prepared.rows.test].map((row) =>
    column.kind === "number" ? column.values[row] : column.codes[row],
  );
}

function stabilityWords(top: number, members: number, count: number): Diagnostic {
  const first = top < count ? ` and the probability of being among the first ${top}` : "";
  return {
    code: "stability",
    message: `Rank intervals (90%)${first} come from ${
      members === 1 ? "the network's own uncertainty" : `the mixture of ${members} networks`
    } and the sampling noise of the rows; the hidden layers stay as trained, so another training run may differ more.${
      members === 1 ? " --ensemble 5 includes some of that." : ""
    }`,
    top,
  };
}
