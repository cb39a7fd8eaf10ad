import { RATE_SHARE, RATE_SHARE_LINE, TOGETHER_LINE } from "../rate-times.ts";
import { atMost, type Finding, finding, settledAfterwards } from "../study/study.ts";
import { SETS } from "./beside-paper.ts";
import { allCells } from "./report-tables.ts";
import { rankRows, type SimulationRows, timesRows } from "./simulation-rows.ts";

const MINUTES = 30;
const HOURS = 3;

type Seconds = Readonly<Record<string, number>>;

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** What the paper's methods took, RATE in it, and what ensembles of the recipe standard and knockoffs took. */
export function timeFindings(rows: SimulationRows): Finding[] {
  const ranked = allCells.flatMap((cell) => rankRows(rows, cell, "paper"));
  if (ranked.length === 0) return [];
  const complete = allCells.every((cell) => rankRows(rows, cell, "paper").length >= SETS);
  const whole = ({ train, rate, boosting, forest }: Seconds): number =>
    train + rate + boosting + forest;
  const minutes = sum(ranked.map(({ seconds }) => whole(seconds))) / 60 / 2;
  const what = "the paper's methods without search, minutes of two cores";
  return [
    complete
      ? finding(what, null, minutes, atMost(MINUTES))
      : finding(`${what}, of ${ranked.length} of 200 data sets`, null, minutes),
    ...hoursFinding(rows),
    ...shareFindings(rows, whole),
  ];
}

/** Over the data sets that have both: all methods of the paper, and the parts of RATE. */
function shareFindings(rows: SimulationRows, whole: (seconds: Seconds) => number): Finding[] {
  const both = allCells.flatMap((cell) => {
    const parts = new Map(timesRows(rows, cell).map(({ seed, seconds }) => [seed, seconds]));
    return rankRows(rows, cell, "paper").flatMap(({ seed, seconds }) => {
      const own = parts.get(seed);
      return own ? [{ all: whole(seconds), own }] : [];
    });
  });
  if (both.length === 0) return [];
  const all = sum(both.map((row) => row.all));
  const part = (name: string): number => sum(both.map(({ own }) => own[name]));
  return [
    settledAfterwards(finding(RATE_SHARE_LINE, null, part("rate") / all, atMost(RATE_SHARE))),
    finding(TOGETHER_LINE, null, (part("hidden") + part("effects") + part("rate")) / all),
  ];
}

/** 25 data sets of every cell, as they were timed by the clock on a busy machine. */
function hoursFinding({ cells, selection }: SimulationRows): Finding[] {
  const standard = cells.filter(
    ({ recipe, correlation, seed }) =>
      recipe === "standard" && correlation.kind === "independent" && seed <= SETS,
  );
  const knockoffs = selection.flatMap((row) =>
    row.study === "knockoffs" &&
    row.recipe === "paper" &&
    row.correlation.kind === "independent" &&
    row.seed <= SETS
      ? [row]
      : [],
  );
  if (standard.length === 0 || knockoffs.length === 0) return [];
  const seconds =
    sum(standard.map(({ trainSeconds, scoreSeconds }) => trainSeconds + scoreSeconds)) +
    sum(knockoffs.map((row) => row.seconds));
  return [
    finding(
      `ensembles of the recipe standard (${standard.length} of 200 data sets) and knockoffs (${knockoffs.length} of 200), hours of two cores`,
      null,
      seconds / 3600 / 2,
      atMost(HOURS),
    ),
  ];
}
