import { fold, keyFromSeed } from "@ratewise/core";
import { median } from "@ratewise/core/evaluate";
import { type CurvePanel, curvesFigure } from "@ratewise/plots";
import { meanWithError } from "../mean-with-error.ts";
import type { StudyFigure } from "../study/study.ts";
import { medianCurve } from "./median-curve.ts";
import { placeOf, published, sizes, type Task } from "./published.ts";
import { ENOUGH_SETS, TASKS } from "./report-tables.ts";
import {
  rankRows,
  type ShownMethod,
  type SimulationRows,
  searchRows,
  shownMethods,
  type TableCell,
} from "./simulation-rows.ts";

const CAUSAL = 30;
const BOOTSTRAPS = 1000;

export function figuresOf(rows: SimulationRows): StudyFigure[] {
  return [
    {
      name: "areas",
      caption:
        "Median area under the ROC curve by rows. Made here, on the same data sets: direct importance (gradient RATE) of the recipe standard, RATE and both mimics without a search of one network of the recipe paper. Beside them the medians printed in the paper, of other data sets and networks",
      svg: areasFigure(rows),
    },
    ...TASKS.flatMap((task) => rocFigure(rows, task)),
    ...secondsFigure(rows),
  ];
}

/** The paper's Tables 1 and 2 against n: its own numbers beside ours. */
export function areasFigure(rows: SimulationRows): string {
  const ticks = sizesRun(rows);
  const panels = TASKS.map((task): CurvePanel => {
    const printed = (name: string, areas: readonly number[]) => ({
      name: `the paper's ${name}, as printed`,
      x: ticks,
      y: ticks.map((n) => areas[placeOf({ rows: n })]),
    });
    const { rate, boosting, forest } = published[task];
    return {
      name: task,
      curves: [
        measured(rows, task, shownMethods.standard, "direct importance, one network"),
        measured(rows, task, shownMethods.standardOfFive, "direct importance, five networks"),
        measured(rows, task, shownMethods.rate, "RATE, one network"),
        measured(rows, task, shownMethods.boosting, "GBM mimic, one network"),
        measured(rows, task, shownMethods.forest, "RF mimic, one network"),
        printed("RATE", rate),
        printed("GBM mimic", boosting),
        printed("RF mimic", forest),
      ].filter(({ x }) => x.length > 0),
    };
  });
  return curvesFigure(panels, {
    x: { label: "rows", log: true, ticks },
    y: { label: "area under the ROC curve", domain: [0.5, 1] },
    ...{ columns: 2, points: true, panelHeight: 300 },
    description: "How well rankings find the 30 causal of 100 variables, by the number of rows",
  });
}

const shownIn = (rows: SimulationRows, method: ShownMethod): number[] =>
  sizes.filter((n) => TASKS.some((task) => method.areas(rows, { task, rows: n }).size > 0));

/** The sizes that anything was run at. */
function sizesRun(rows: SimulationRows): number[] {
  const methods = Object.values(shownMethods);
  return sizes.filter((n) => methods.some((method) => shownIn(rows, method).includes(n)));
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
    [shownMethods.rate, "paper", "noise"],
    [shownMethods.boosting, "paper", "boosting"],
    [shownMethods.forest, "paper", "forest"],
    [shownMethods.standard, "standard", "gradient"],
  ] as const;
  const panels = sizes.flatMap((n): CurvePanel[] => {
    const cell: TableCell = { task, rows: n };
    const curves = drawn.flatMap(([method, recipe, curve]) => {
      const own = rankRows(rows, cell, recipe).map(({ curves: kept }) => kept[curve]);
      if (own.length === 0) return [];
      const key = fold(keyFromSeed(1), "bands", task, n, method.name);
      const { falsePositiveRate, truePositiveRate, low, high } = medianCurve(own, CAUSAL, {
        key,
        repeats: BOOTSTRAPS,
      });
      const drawnCurve = { name: method.name, x: falsePositiveRate, y: truePositiveRate };
      return [own.length < ENOUGH_SETS ? drawnCurve : { ...drawnCurve, low, high }];
    });
    const sets = rankRows(rows, cell, "paper").length;
    const name = `${n.toLocaleString("en")} rows, ${sets} data sets`;
    return sets > 1 ? [{ name, curves }] : []; // of one curve there is no median
  });
  if (panels.length === 0) return [];
  return [
    {
      name: `roc-${task}`,
      caption: `Median ROC curves, ${task}; with 95% bands of ${BOOTSTRAPS.toLocaleString("en")} bootstraps of the data sets where there are ${ENOUGH_SETS} or more. A panel has the methods whose curves were kept`,
      svg: curvesFigure(panels, {
        x: { label: "false positive rate" },
        y: { label: "true positive rate", domain: [0, 1] },
        columns: 2,
        description: `Median ROC curves of the rankings, ${task}`,
      }),
    },
  ];
}

/** Seconds of one processor by method; standard errors are the bands. */
function secondsFigure(rows: SimulationRows): StudyFigure[] {
  const panels = TASKS.map((task): CurvePanel => {
    const line = (name: string, of: (cell: TableCell) => readonly number[]) => {
      const found = sizes.flatMap((n) => {
        const seconds = of({ task, rows: n });
        if (seconds.length === 0) return [];
        const { mean, error } = meanWithError(seconds);
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
      name: "seconds",
      caption:
        "Seconds of one core after the network is trained, means with standard errors over data sets; searches, of 30 models by 5 folds, see at most 10,000 rows. The paper's Figure 4 has minutes of 32 cores",
      svg: curvesFigure(panels, {
        x: { label: "rows", log: true, ticks: sizesRun(rows) },
        y: { label: "seconds of one core", log: true },
        ...{ columns: 2, points: true },
        description: "Seconds by method and number of rows",
      }),
    },
  ];
}
