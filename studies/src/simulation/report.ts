import {
  atLeast,
  type Finding,
  finding,
  type StudyContext,
  type StudyReport,
  settledAfterwards,
} from "../study/study.ts";
import { methodFindings } from "./beside-paper.ts";
import { figuresOf } from "./figure.ts";
import { published, sizes } from "./published.ts";
import { askedRows, tablesOf } from "./report-tables.ts";
import {
  middle,
  type ShownMethod,
  type SimulationRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";
import { timeFindings } from "./times.ts";

/** The simulation from whatever rows there are. */
export function simulationReport(
  rows: SimulationRows,
  { quick }: Pick<StudyContext, "quick">,
): StudyReport {
  return {
    findings: quick
      ? quickFindings(rows)
      : [...methodFindings(rows), askedFinding(rows), ...timeFindings(rows)],
    tables: tablesOf(rows),
    figures: figuresOf(rows),
    numbers: { ...rows },
  };
}

/** Best forms and more data sets for some cells came after results. */
function askedFinding(rows: SimulationRows): Finding {
  const asked = askedRows(rows);
  const reached = asked.filter(({ verdict }) => verdict.startsWith("holds")).length;
  const what = "medians of networks and ensembles that reach what was asked of them";
  return settledAfterwards(finding(what, null, reached, atLeast(asked.length)));
}

/** What two data sets of 3,000 rows a link have to show; permuted responses show none of it. */
function quickFindings(rows: SimulationRows): Finding[] {
  const line = (method: ShownMethod, task: TableCell["task"], bar: number): Finding => {
    const small = { task, rows: sizes[0] };
    const paper = method.paper && published[task][method.paper][0];
    const what = `${method.name}: ${task}, ${small.rows.toLocaleString("en")}`;
    return finding(what, paper, middle(rows, method, small)!, atLeast(bar));
  };
  return [
    line(shownMethods.rate, "regression", 0.75),
    line(shownMethods.boosting, "regression", 0.75),
    line(shownMethods.forest, "regression", 0.7),
    line(shownMethods.standard, "regression", 0.88),
    line(shownMethods.rate, "classification", 0.66),
    line(shownMethods.standard, "classification", 0.72),
  ];
}
