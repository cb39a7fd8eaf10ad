import { median } from "@ratewise/core/evaluate";
import { nullTable, type SelectionSummary, selectionTable, summariseSelection } from "./summary.ts";
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
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const of = (field: "engine" | "version") =>
    [...new Set(results.map((row) => row[field]))].join(", ");
  return `${[
    "# Do knockoffs keep what they promise?",
    "**Question.** Does a selection with a false discovery rate of 0.1 keep it where the truth is known, and how much does it find? What comes of pure noise? Do rank intervals cover?",
    [
      "**Answer.**",
      "",
      `* RATE of one network and gradients of five, in ${asked.length / 2} cells: the false discovery proportion is ${Math.min(...rates).toFixed(3)} to ${Math.max(...rates).toFixed(3)} by cell, ${mean(rates).toFixed(3)} on average, in ${over.length === 0 ? "none" : over.length} of the ${asked.length} cells and rankings shown to be above 0.1. ${excessText(asked)}`,
      `* Power reaches what was asked of it in ${reached.length} of ${withBars.length} cells and rankings.`,
      ...correlatedText(asked),
      ...recipesText(asked),
      ...coverageText(results),
    ].join("\n"),
    "## Pure noise and rank intervals",
    nullTable(results),
    "## Knockoffs, cell by cell",
    "FDP: mean false discovery proportion, after ± half the 95% interval of that mean; *one* network or an *ensemble* of five; *covariance* is RATE; *full* is its closed form for a variable's derivatives at all rows, *weak* what that tends to for many weak variables, *meanSquared* the mean squared gradient. What is not shown to be above 0.1 has an interval that reaches down to 0.1 or below, which is not to say that its rate is. What is asked is asked of *one covariance* and *ensemble meanSquared*.",
    selectionTable(summaries),
    "## Record",
    `Method and command: [studies](../../studies/README.md#selection). Seeds 1, 2, 3, … in order, every data set a line of \`studies/results/selection.jsonl\`: ${results.length.toLocaleString("en")} of them, engine ${of("engine")}, version ${of("version")}.`,
    "By permutation pure noise alone was run: what it selects where there is something is not in this study, and nothing is promised of it.",
    "Chosen after results had been seen: rank intervals were first looked at in a few tables of 1,000 × 30 and of 2,000 × 40, where they covered 0.955; the table of 3,000 × 100, of the shape of the simulation, came after that. All three are here, 40 trials each.",
  ].join("\n\n")}\n`;
}

/** How much above the rate a cell would have to be for its seeds to show it. */
function excessText(asked: readonly SelectionSummary[]): string {
  const widths = asked.map(({ halfWidth }) => halfWidth).filter((width) => !Number.isNaN(width));
  if (widths.length === 0) return "No excess could have been shown: there is one seed a cell.";
  return `To be shown, an excess would have to be about ${median(widths).toFixed(3)} in the median cell and ${Math.max(...widths).toFixed(3)} in the least certain: half the 95% intervals.`;
}

const range = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

const powers = (summaries: readonly SelectionSummary[], ranking: string): number[] =>
  summaries.filter((row) => row.ranking === ranking).map(({ power }) => power);

function correlatedText(asked: readonly SelectionSummary[]): string[] {
  const correlated = asked.filter(({ cell }) => /autoregressive|blocks/.test(cell));
  if (correlated.length === 0) return [];
  const [rate, gradients] = ASKED.map((ranking) => powers(correlated, ranking));
  const more = gradients.filter((power, k) => power > rate[k]).length;
  return [
    `* Where columns go along with each other gradients of five networks have a power of ${range(gradients)}, RATE of one ${range(rate)}, in ${more} of ${rate.length} cells less: a column that goes along with a cause goes along with the prediction too, and its copy nearly as much.`,
  ];
}

/** The recipe standard beside the paper's, where there are both. */
function recipesText(asked: readonly SelectionSummary[]): string[] {
  const paper = new Map(asked.map((row) => [`${row.cell} ${row.ranking}`, row.power]));
  const pairs = asked.flatMap(({ cell, ranking, power }) => {
    const other = paper.get(`${cell.replace("standard", "paper")} ${ranking}`);
    return cell.startsWith("standard") && other !== undefined ? [[power, other] as const] : [];
  });
  if (pairs.length === 0) return [];
  const [own, other] = [pairs.map(([power]) => power), pairs.map(([, power]) => power)];
  const worse = pairs.filter(([power, before]) => power < before).length;
  return [
    `* Networks of the recipe standard have a power of ${range(own)} where those of the paper's recipe have ${range(other)}, in ${worse === 0 ? "none" : worse} of ${pairs.length} cells and rankings less.`,
  ];
}

function coverageText(results: readonly SelectionResult[]): string[] {
  const shapes = new Map<number, number[]>();
  for (const row of results)
    if (row.study === "coverage")
      shapes.set(row.rows, [...(shapes.get(row.rows) ?? []), row.covered!]);
  if (shapes.size === 0) return [];
  const shares = [...shapes.values()].map(
    (covered) => (100 * covered.reduce((sum, value) => sum + value, 0)) / covered.length,
  );
  return [
    `* Rank intervals of 90% cover the rank in all rows in ${Math.min(...shares).toFixed(0)}% to ${Math.max(...shares).toFixed(0)}% of cases.`,
  ];
}
