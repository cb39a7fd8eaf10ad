import type { Diagnostic } from "../diagnostic.ts";
import type { SelectionFields } from "./explain-document.ts";
import type { SelectOptions } from "./selection-choice.ts";

/** What is taken to be known about the columns, in words. */
const ASSUMED: Record<NonNullable<SelectOptions["copies"]>, string> = {
  gaussian:
    "the columns are jointly normal with the correlations estimated from these rows (other columns: approximately)",
  permuted: "the columns are independent of each other",
  genotype: "the genotypes form a Markov chain along the columns",
};

/** What a selection means, and under which assumption: said with every result. */
export function guaranteeOf(
  options: SelectOptions,
  fields: readonly SelectionFields[],
  count: number,
  permutations?: number,
): Diagnostic {
  const { by, fdr } = options;
  const selected = fields.filter((field) => field.selected).length;
  const rate = `${Number((100 * fdr).toPrecision(3))}%`;
  const head = `${selected} of ${count} variables are selected by ${by === "knockoffs" ? "knockoffs" : `${permutations?.toLocaleString("en")} permutations`} at a false discovery rate of ${rate}.`;
  return {
    code: "selection",
    message: `${head} ${by === "knockoffs" ? knockoffWords(options, rate, selected) : permutationWords(options)}`,
    by,
    fdr,
    selected,
  };
}

function knockoffWords(options: SelectOptions, rate: string, selected: number): string {
  const { copies = "gaussian", draws = 1, combination = "e-values", fdr } = options;
  const assumption = `if ${ASSUMED[copies]}`;
  const few =
    selected === 0
      ? ` A selection at this rate has at least ${Math.ceil(1 / fdr)} variables or none.`
      : "";
  if (draws > 1 && combination === "frequency")
    return `Each was selected in more than half of ${draws} draws of copies; nothing is proven about the false discovery rate of that rule.${few}`;
  return `Guaranteed ${assumption}: on average over data sets at most ${rate} of the selected add nothing to what all other variables say about the target. Not guaranteed: that this one selection has no more, or that the others do nothing.${few}`;
}

function permutationWords({ refit = false, strata }: SelectOptions): string {
  const how = refit
    ? "networks trained anew"
    : "an output layer fitted anew to one half of the rows";
  const within = strata ? " within families" : "";
  return `Responses were permuted${within}, with ${how}. Guaranteed if rows are exchangeable${within}: when the target has nothing to do with any variable, each p-value is below α with chance at most α. Not guaranteed: the p-value of a variable that does nothing while others do; for that use --by knockoffs.`;
}
