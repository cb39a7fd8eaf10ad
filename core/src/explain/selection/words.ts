import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { clause, mention, say, type Words } from "../../words/words.ts";
import type { SelectionFields, SelectOptions } from "./choice.ts";

/** What is taken to be known about the columns, in words. */
const ASSUMED: Record<NonNullable<SelectOptions["copies"]>, string> = {
  gaussian:
    "the columns are jointly normal with the correlations estimated from these rows (for other columns, approximately)",
  permuted: "the columns are independent of each other",
  genotype: "the genotypes form a Markov chain along the columns",
};

/** A rate at which few variables can already be selected by knockoffs, and how many: 1/0.25. */
const EASIER = { fdr: 0.25, fewest: 4 };

/** What else was asked for, and made. */
interface Asked {
  readonly permutations?: number;
  /** Whether the run says how stable the ranks are: then nobody is told to ask for it. */
  readonly stability?: boolean;
}

/** What a selection means, and under which assumption: said with every result. Then, if so, that it could find nothing. */
export function guaranteeOf(
  options: SelectOptions,
  fields: readonly SelectionFields[],
  count: number,
  { permutations, stability = false }: Asked = {},
): Diagnostic[] {
  const { by, fdr } = options;
  const selected = fields.filter((field) => field.selected).length;
  const rate = percent(fdr);
  const head = `${selected} of ${count} variables ${selected === 1 ? "is" : "are"} selected by ${by === "knockoffs" ? "knockoffs" : `${permutations?.toLocaleString("en")} permutations`} at a false discovery rate of ${rate}.`;
  if (by === "permutation")
    return [
      diagnostic("selection", say`${head} ${permutationWords(options)}`, {
        by,
        fdr,
        selected,
        ...(permutations !== undefined && { permutations }),
      }),
    ];
  const fewest = fewestSelected(options);
  const outOfReach = selected === 0 && fewest >= count;
  const few =
    selected === 0 && !outOfReach
      ? say` At this rate, a selection has at least ${fewest} variables or none.${easier(options, count, stability)}`
      : "";
  const note = diagnostic("selection", say`${head} ${knockoffWords(options, rate)}${few}`, {
    by,
    fdr,
    selected,
    fewest,
    outOfReach,
  });
  return outOfReach ? [note, beyondReach(options, "variables", count, stability)] : [note];
}

/** (1 + losers)/winners ≤ fdr needs 1/fdr winners; of several draws each is filtered at half the rate. */
export function fewestSelected({
  fdr,
  draws = 1,
  combination = "e-values",
}: SelectOptions): number {
  return Math.ceil((draws > 1 && combination === "e-values" ? 2 : 1) / fdr);
}

/** Nothing selected says nothing where nothing, or only everything, could have been. */
export function beyondReach(
  options: SelectOptions,
  what: "variables" | "groups",
  count: number,
  stability: boolean,
): Diagnostic {
  const { fdr } = options;
  const fewest = fewestSelected(options);
  const needs =
    fewest === count
      ? `at least ${fewest} would have to be selected, which is all of them`
      : `at least ${fewest} would have to be selected`;
  return diagnostic(
    "selection-out-of-reach",
    say`A false discovery rate of ${percent(fdr)} cannot be reached with ${count} ${what} by knockoffs: ${needs}. So an empty selection tells you nothing about them.${easier(options, count, stability)}`,
    { fdr, fewest, [what]: count },
  );
}

/** What else could be asked: with another rate it is another test, whose rate should not come from the q-values of this one. */
function easier({ fdr, draws = 1 }: SelectOptions, count: number, stability: boolean): Words {
  const higher =
    fdr < EASIER.fdr && draws === 1 && count >= 2 * EASIER.fewest
      ? say` On new rows, or if you decide it before you look, a higher rate${clause` (${mention("select", { fdr: EASIER.fdr })})`} needs only ${EASIER.fewest}.`
      : "";
  const fewer = draws > 1 ? " One draw of copies needs half as many." : "";
  const ranks = stability ? "" : clause` ${mention("stability")} says how stable the ranks are.`;
  return say`${higher}${fewer}${ranks}`;
}

function percent(fdr: number): string {
  return `${Number((100 * fdr).toPrecision(3))}%`;
}

function knockoffWords(options: SelectOptions, rate: string): string {
  const { copies = "gaussian", draws = 1, combination = "e-values" } = options;
  const how =
    "Every variable competes with an artificial copy of itself that knows nothing of the target. It is selected if it clearly beats the copy.";
  if (draws > 1 && combination === "frequency")
    return `${how} Each was selected in more than half of ${draws} draws of copies. Nothing is proven about the false discovery rate of this rule.`;
  const several =
    draws > 1
      ? ` ${draws} draws of copies are combined by e-values made for this rate, each draw at half of it. q comes from these e-values and may differ at another rate.`
      : "";
  return `${how}${several} Guaranteed if the rows are independent (no relatives, no repeats) and ${ASSUMED[copies]}: averaged over data sets, at most ${rate} of the selected variables add nothing to what all others say about the target. Not guaranteed: that at most ${rate} of this one selection are false, or that variables that were not selected do nothing.`;
}

function permutationWords({ refit = false, strata }: SelectOptions): Words {
  const how = refit ? "networks trained again" : "an output layer refitted to one half of the rows";
  const within = strata ? " within families" : "";
  return say`Responses were permuted${within}, with ${how}. Guaranteed if rows are exchangeable${within}: if the target is related to no variable, each p-value is below α with probability at most α. Not guaranteed: anything about a single variable once others matter. A variable that does nothing may then be selected, and one that matters may not, because scores are shares of the whole.${clause` To test single variables, use ${mention("by", "knockoffs")}.`}`;
}
