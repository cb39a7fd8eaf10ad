import { RATE_SHARE_LINE } from "../rate-share.ts";
import {
  atLeast,
  type Finding,
  finding,
  type StudyReport,
  settledAfterwards,
} from "../study/study.ts";
import { answerText, type SimulationKind } from "./answer.ts";
import { methodFindings } from "./beside-paper.ts";
import { cellText, middle } from "./cell-median.ts";
import { choicesText } from "./choices.ts";
import { figuresOf } from "./figure.ts";
import { methodText } from "./method-text.ts";
import { published, sizes } from "./published.ts";
import { askedRows, tablesOf } from "./report-tables.ts";
import {
  type ShownMethod,
  type SimulationRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";
import { timeFindings } from "./times.ts";

/** The page of the simulation from whatever rows there are. */
export function simulationReport(rows: SimulationRows, kind: SimulationKind): StudyReport {
  const findings = kind.quick ? quickFindings(rows) : findingsOf(rows);
  return {
    method: methodText(rows, kind),
    choices: choicesText(
      rows,
      findings.some(({ what }) => what === RATE_SHARE_LINE),
    ),
    answer: answerText(rows, kind),
    findings,
    tables: tablesOf(rows),
    figures: figuresOf(rows),
    numbers: { ...rows },
  };
}

function findingsOf(rows: SimulationRows): Finding[] {
  return [...methodFindings(rows), askedFinding(rows), ...timeFindings(rows)];
}

/** Best forms and more data sets for some cells came after results: see choices.ts. */
function askedFinding(rows: SimulationRows): Finding {
  const asked = askedRows(rows);
  return settledAfterwards(
    finding(
      "medians of networks and ensembles that reach what was asked of them",
      null,
      asked.filter(({ verdict }) => verdict.startsWith("holds")).length,
      atLeast(asked.length),
    ),
  );
}

/** What two data sets of 3,000 rows a link have to show; permuted responses show none of it. */
function quickFindings(rows: SimulationRows): Finding[] {
  const small = (task: TableCell["task"]): TableCell => ({ task, rows: sizes[0] });
  const line = (method: ShownMethod, task: TableCell["task"], bar: number): Finding =>
    finding(
      `${method.name}: ${cellText(small(task))}`,
      method.paper && published[task][method.paper][0],
      middle(rows, method, small(task))!,
      atLeast(bar),
    );
  return [
    line(shownMethods.rate, "regression", 0.75),
    line(shownMethods.boosting, "regression", 0.75),
    line(shownMethods.forest, "regression", 0.7),
    line(shownMethods.standard, "regression", 0.88),
    line(shownMethods.rate, "classification", 0.66),
    line(shownMethods.standard, "classification", 0.72),
  ];
}
