import { columnNamed, type Table } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import type { Importance } from "../answer/importance-rows.ts";
import type { FittedModel } from "../fit/fitted-model.ts";
import type { SelectOptions } from "./choice.ts";
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

export interface FieldsInput extends SelectionInput, SelectionOptions {
  readonly source: Table;
  readonly fitted: FittedModel;
}

/** The rows of a result with what was asked for filled in, and what it means in words. */
export async function withSelection(
  importance: Importance,
  input: FieldsInput,
): Promise<{ importance: Importance; diagnostics: readonly Diagnostic[] }> {
  const { select, stability = false, top = 10, fitted, prepared, key } = input;
  const { networks, outputWeights } = fitted.parts;
  if ((select || stability) && networks.length === 0)
    throw new RatewiseError(
      "domain",
      "explain: needs a network to select variables or to tell how sure the ranking is, got a Gaussian process; leave the model to its default",
    );
  if (stability && input.top !== undefined && top > input.variables.length)
    throw new RatewiseError(
      "domain",
      `explain: needs a top of at most the ${input.variables.length} variables there are, got ${top}`,
    );
  const strata = input.families === undefined ? undefined : familiesOf(input, input.families);
  const selection =
    select && (await selectVariables(input, { ...select, ...(strata && { strata }) }));
  const ranks =
    stability &&
    (await rankingStability({
      key,
      networks,
      ...(outputWeights && { outputWeights }),
      ...prepared.train,
      variables: input.variables,
      top,
      ...(input.signal && { signal: input.signal }),
      ...(input.onProgress && { onProgress: input.onProgress }),
    }));
  return {
    importance: {
      ...importance,
      variables: importance.variables.map((row, v) => ({
        ...row,
        ...selection?.variables[v],
        ...(ranks && {
          topK: ranks.inTop[v],
          rankInterval: [ranks.lower[v], ranks.upper[v]] as const,
        }),
      })),
      groups: importance.groups.map((row, g) => ({ ...row, ...selection?.groups[g] })),
    },
    diagnostics: [
      ...(selection?.diagnostics ?? []),
      ...(ranks ? [stabilityWords(top, networks.length)] : []),
    ],
  };
}

/** The family of every row, training rows first. */
function familiesOf({ source, prepared }: FieldsInput, name: string): (number | string)[] {
  const column = columnNamed(source, name);
  const missing = [...prepared.rows.train, ...prepared.rows.test].filter((row) =>
    column.kind === "number" ? Number.isNaN(column.values[row]) : column.codes[row] < 0,
  );
  if (missing.length > 0)
    throw new RatewiseError(
      "domain",
      `explain: needs a family in every row that is used, got none in ${missing.length} of column ${name}; fill them in, or leave those rows out`,
    );
  return [...prepared.rows.train, ...prepared.rows.test].map((row) =>
    column.kind === "number" ? column.values[row] : column.codes[row],
  );
}

function stabilityWords(top: number, members: number): Diagnostic {
  return {
    code: "stability",
    message: `Rank intervals (90%) and the chance to be among the first ${top} come from ${
      members === 1 ? "the network's own uncertainty" : `the mixture of ${members} networks`
    } and the sampling noise of the rows; the hidden layers stay as trained, so another training may differ by more.${
      members === 1 ? " --ensemble 5 takes some of that in." : ""
    }`,
    top,
  };
}
