import { rateShareChoice } from "../rate-share.ts";
import { type BarRow, barRows } from "./bars.ts";
import { SETS } from "./beside-paper.ts";
import type { SimulationRows } from "./simulation-rows.ts";
import { summarise } from "./summary.ts";

const holding = (rows: readonly BarRow[]): number =>
  rows.filter(({ verdict }) => verdict.startsWith("holds")).length;

/** What was settled after results had been seen, and what would have come of it otherwise. */
export function choicesText({ cells }: SimulationRows, shares: boolean): string[] {
  return [...moreSetsText(cells), ...bestFormText(cells), ...(shares ? [rateShareChoice] : [])];
}

function moreSetsText(cells: SimulationRows["cells"]): string[] {
  const more = barRows(summarise(cells)).filter(({ seeds }) => seeds > SETS);
  if (more.length === 0) return [];
  const names = new Set(more.map(({ cell }) => cell));
  const first = barRows(summarise(cells.filter(({ seed }) => seed <= SETS)));
  const before = first.filter(({ cell }) => names.has(cell));
  return [
    `Cells were to have ${SETS} data sets. Where a median then came within 0.01 of what was asked of it, more were run, ${Math.max(...more.map(({ seeds }) => seeds))} in all: ${[...names].join(", ")}. Of the ${more.length} medians asked of these cells ${holding(more)} reach what was asked; with the first ${SETS} data sets alone ${holding(before)} did.`,
  ];
}

function bestFormText(cells: SimulationRows["cells"]): string[] {
  const summaries = summarise(cells);
  const best = barRows(summaries).filter(
    ({ what, median }) => what.startsWith("best gradient form") && median !== null,
  );
  if (best.length === 0) return [];
  const full = best.filter(
    ({ cell, atLeast }) => summaries.find((row) => row.cell === cell)!.ensemble.full >= atLeast,
  );
  return [
    `The best gradient form of five networks is the best of three medians in its cell, seen afterwards. ${holding(best)} of ${best.length} such medians reach what was asked; with the form *full* in every cell ${full.length} do.`,
  ];
}
