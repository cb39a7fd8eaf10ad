import { nullTable, selectionTable, summariseSelection } from "./summary.ts";
import type { SelectionResult } from "./task.ts";

/** The rankings that something is asked of. */
const ASKED = ["one covariance", "ensemble meanSquared"];

/** The study as a page: what came out beside what was asked, made of the journal alone. */
export function selectionPage(results: readonly (SelectionResult & { version: string })[]): string {
  const summaries = summariseSelection(results);
  const asked = summaries.filter(({ ranking }) => ASKED.includes(ranking));
  const rates = asked.map(({ fdp }) => fdp);
  const over = asked.filter(({ fdp, halfWidth }) => fdp - halfWidth > 0.1);
  const withBars = summaries.filter(({ bar }) => bar !== null);
  const reached = withBars.filter(({ power, bar }) => power >= bar!);
  const of = (field: "engine" | "version") =>
    [...new Set(results.map((row) => row[field]))].join(", ");
  return `${[
    "# Do knockoffs keep what they promise?",
    "**Question.** Does a selection with a false discovery rate of 0.1 keep it where the truth is known, and how much does it find? What comes of pure noise? Do rank intervals cover?",
    [
      "**Answer.**",
      "",
      `* RATE of one network and gradients of five, in ${asked.length / 2} cells: the false discovery proportion is ${Math.min(...rates).toFixed(3)} to ${Math.max(...rates).toFixed(3)} by cell, ${over.length === 0 ? "in none of them above 0.1 beyond its interval" : `in ${over.length} of them above 0.1 beyond its interval`}.`,
      `* Power reaches what was asked of it in ${reached.length} of ${withBars.length} cells and rankings.`,
      "* Where columns go along with each other, gradients find most of what there is and covariances little: a column that goes along with a cause goes along with the prediction too, and its copy nearly as much.",
      "* Ranks are whole numbers, so their intervals cover rather more than 90%.",
    ].join("\n"),
    "## Pure noise and rank intervals",
    nullTable(results),
    "## Knockoffs, cell by cell",
    "FDP: mean false discovery proportion with the 95% interval of that mean; *one* network or an *ensemble* of five; *covariance* is RATE, *full*, *weak* and *meanSquared* are forms of the gradient score. What is asked is asked of *one covariance* and *ensemble meanSquared*.",
    selectionTable(summaries),
    "## Record",
    `Method and command: [studies](../../studies/README.md#selection). Seeds 1, 2, 3, … in order, every data set a line of \`studies/results/selection.jsonl\`: ${results.length} of them, engine ${of("engine")}, version ${of("version")}.`,
    "Chosen after results had been seen: rank intervals were first looked at in a few tables of 1,000 × 30 and of 2,000 × 40, where they covered 0.955; the table of 3,000 × 100, of the shape of the simulation, came after that. All three are here, 40 trials each.",
  ].join("\n\n")}\n`;
}
