import { median } from "@ratewise/core/evaluate";
import type { ShownMethod, SimulationRows, TableCell } from "./simulation-rows.ts";

/** The median area of a method in a cell; null where it was not run. */
export function middle(rows: SimulationRows, method: ShownMethod, cell: TableCell): number | null {
  const areas = [...method.areas(rows, cell).values()];
  return areas.length > 0 ? median(areas) : null;
}

export const cellText = ({ task, rows }: TableCell): string =>
  `${task}, ${rows.toLocaleString("en")}`;
