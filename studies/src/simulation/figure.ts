import { fold, keyFromSeed, median } from "@ratewise/core";
import { type CurvePanel, curvesFigure } from "@ratewise/plots";
import { meanWithError } from "../mean-with-error.ts";
import type { StudyFigure } from "../study/study.ts";
import { medianCurve } from "./median-curve.ts";
import { published, sizes, type Task } from "./published.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  searchRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

const TASKS: readonly Task[] = ["regression", "classification"];
const CAUSAL = 30;
const BOOTSTRAPS = 1000;

export function figuresOf(rows: SimulationRows): StudyFigure[] {
  return [
    {
      name: "areas",
      caption:
        "Median area under the ROC curve by rows: the paper's printed medians, RATE with the paper's recipe here, and direct importance (gradient RATE) of the recipe standard, one network and five",
      svg: areasFigure(rows),
    },
    ...TASKS.flatMap((task) => rocFigure(rows, task)),
    ...minutesFigure(rows),
  ];
}

/** The paper's Tables 1 and 2 against n: its own numbers beside ours. */
export function areasFigure(rows: SimulationRows): string {
  const panels = TASKS.map((task): CurvePanel => {
    const printed = (name: string, y: readonly number[]) => ({ name, x: sizes, y });
    const { rate, boosting, forest } = published[task];
    return {
      name: task,
      curves: [
        measured(rows, task, shownMethods.standard, "direct importance, one network"),
        measured(rows, task, shownMethods.standardOfFive, "direct importance, five networks"),
        measured(rows, task, shownMethods.rate, "RATE, one network"),
        printed("the paper's RATE, as printed", rate),
        printed("the paper's GBM mimic, as printed", boosting),
        printed("the paper's RF mimic, as printed", forest),
      ],
    };
  });
  return curvesFigure(panels, {
    x: { label: "rows", log: true, ticks: sizes },
    y: { label: "area under the ROC curve", domain: [0.5, 1] },
    ...{ columns: 2, points: true },
    description: "How well rankings find the 30 causal of 100 variables, by the number of rows",
  });
}

function measured(rows: SimulationRows, task: Task, method: ShownMethod, name: string) {
  const found = sizes.flatMap((n) => {
    const areas = [...method.areas(rows, { task, rows: n }).values()];
    return areas.length > 0 ? [[n, median(areas)] as const] : [];
  });
  return { name, x: found.map(([n]) => n), y: found.map(([, area]) => area) };
}

/** Figures 2 and 3: median curves with bootstrap bands. */
function rocFigure(rows: SimulationRows, task: Task): StudyFigure[] {
  const drawn = [
    shownMethods.rate,
    shownMethods.boosting,
    shownMethods.forest,
    shownMethods.standard,
  ];
  const panels = sizes.flatMap((n): CurvePanel[] => {
    const cell: TableCell = { task, rows: n };
    const curves = drawn.flatMap((method) => {
      const own = method.curves(rows, cell);
      if (own.length === 0) return [];
      const key = fold(keyFromSeed(1), "bands", task, n, method.name);
      const { falsePositiveRate, truePositiveRate, low, high } = medianCurve(own, CAUSAL, {
        key,
        repeats: BOOTSTRAPS,
      });
      return [{ name: method.name, x: falsePositiveRate, y: truePositiveRate, low, high }];
    });
    const sets = rankRows(rows, cell, "paper").length;
    const name = `${n.toLocaleString("en")} rows, ${sets} data sets`;
    return sets > 1 ? [{ name, curves }] : []; // of one curve there is no median
  });
  if (panels.length === 0) return [];
  return [
    {
      name: `roc-${task}`,
      caption: `Median ROC curves with 95% bands of ${BOOTSTRAPS.toLocaleString("en")} bootstraps of the data sets, ${task}; networks of the recipe standard where their curves were kept`,
      svg: curvesFigure(panels, {
        x: { label: "false positive rate" },
        y: { label: "true positive rate", domain: [0, 1] },
        columns: 2,
        description: `Median ROC curves of the rankings, ${task}`,
      }),
    },
  ];
}

/** Minutes of one processor by method; standard errors are the bands. */
function minutesFigure(rows: SimulationRows): StudyFigure[] {
  const panels = TASKS.map((task): CurvePanel => {
    const line = (name: string, of: (cell: TableCell) => readonly number[]) => {
      const found = sizes.flatMap((n) => {
        const minutes = of({ task, rows: n }).map((seconds) => seconds / 60);
        if (minutes.length === 0) return [];
        const { mean, error } = meanWithError(minutes);
        const half = Number.isNaN(error) ? 0 : error; // of a single data set there is no band
        return [{ n, mean, low: Math.max(mean - half, mean / 10), high: mean + half }];
      });
      return {
        name,
        x: found.map(({ n }) => n),
        y: found.map(({ mean }) => mean),
        low: found.map(({ low }) => low),
        high: found.map(({ high }) => high),
      };
    };
    const ranked =
      (stage: string) =>
      (cell: TableCell): number[] =>
        rankRows(rows, cell, "paper").map(({ seconds }) => seconds[stage]);
    const searched =
      (method: "boosting" | "forest") =>
      (cell: TableCell): number[] =>
        searchRows(rows, cell).map(({ seconds }) => seconds[method]);
    return {
      name: task,
      curves: [
        line("RATE", ranked("rate")),
        line("gradient RATE", ranked("gradient")),
        line("GBM mimic", ranked("boosting")),
        line("RF mimic", ranked("forest")),
        line("search of the GBM mimic", searched("boosting")),
        line("search of the RF mimic", searched("forest")),
      ].filter(({ x }) => x.length > 0),
    };
  }).filter(({ curves }) => curves.length > 0);
  if (panels.length === 0) return [];
  return [
    {
      name: "minutes",
      caption:
        "Minutes of one core after the network is trained, means with standard errors over data sets; searches of 30 models by 5 folds see at most 10,000 rows. The paper's Figure 4 has 32 cores",
      svg: curvesFigure(panels, {
        x: { label: "rows", log: true, ticks: sizes },
        y: { label: "minutes of one core", log: true },
        ...{ columns: 2, points: true },
        description: "Minutes by method and number of rows",
      }),
    },
  ];
}
