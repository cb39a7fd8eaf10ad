import type { SelectionOptions } from "@ratewise/core/explain";
import { choiceOption, countOption, usageError } from "./options.ts";

/** The options of a command that can select variables. */
export const selectionOptionKinds = {
  select: { type: "string" },
  by: { type: "string" },
  copies: { type: "string" },
  draws: { type: "string" },
  refit: { type: "boolean" },
  permutations: { type: "string" },
  families: { type: "string" },
} as const;

/** Their values as the command line has them. */
export interface SelectionValues {
  readonly select?: string;
  readonly by?: string;
  readonly copies?: string;
  readonly draws?: string;
  readonly refit?: boolean;
  readonly permutations?: string;
  readonly families?: string;
}

/** The lines about them in a command's help. */
export const selectionHelp = `  --select <fdr=0.1>     select variables such that on average at most this share of them is false
  --by <way>             knockoffs (default): guaranteed as far as the copies' model holds; or permutation: p-values
                         for "nothing has to do with the target"
  --copies <kind>        of knockoffs: gaussian (default), permuted (independent columns) or genotype (0, 1, 2)
  --draws <1>            of knockoffs: draws of copies, combined by e-values
  --refit                of permutation: train anew for every permutation, not only the output layer
  --permutations <n>     the most permutations
  --families <column>    of permutation: stay within equal values of this column, which is left out of the predictors
`;

/** What was asked for, checked before any file is opened. */
export function selectionOptions(
  command: string,
  values: SelectionValues,
): Pick<SelectionOptions, "select" | "families"> {
  const { select, families } = values;
  const by = choiceOption(command, "by", values.by, ["knockoffs", "permutation"]) ?? "knockoffs";
  const copies = choiceOption(command, "copies", values.copies, [
    "gaussian",
    "permuted",
    "genotype",
  ]);
  const draws = countOption(command, "draws", values.draws);
  const permutations = countOption(command, "permutations", values.permutations);
  if (select === undefined) {
    const without = ["by", "copies", "draws", "refit", "permutations", "families"] as const;
    for (const name of without)
      if (values[name] !== undefined)
        throw usageError(command, `--${name} needs --select, such as --select fdr=0.1`);
    return {};
  }
  const foreign =
    by === "knockoffs"
      ? (["refit", "permutations", "families"] as const)
      : (["copies", "draws"] as const);
  for (const name of foreign)
    if (values[name] !== undefined)
      throw usageError(
        command,
        `--${name} is of ${by === "knockoffs" ? "permutation; add --by permutation" : "knockoffs; leave --by permutation out"}`,
      );
  return {
    select: {
      fdr: rateOf(command, select),
      by: by as "knockoffs" | "permutation",
      ...(copies !== undefined && { copies: copies as "gaussian" | "permuted" | "genotype" }),
      ...(draws !== undefined && { draws }),
      ...(values.refit && { refit: true }),
      ...(permutations !== undefined && { permutations }),
    },
    ...(families !== undefined && { families }),
  };
}

function rateOf(command: string, value: string): number {
  const rate = Number(/^fdr=(.+)$/.exec(value)?.[1] ?? Number.NaN);
  if (!(rate > 0 && rate < 1))
    throw usageError(
      command,
      `--select needs fdr= and a rate between 0 and 1, such as fdr=0.1, got "${value}"`,
    );
  return rate;
}
