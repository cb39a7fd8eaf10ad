import { defineTask, type TaskKind } from "@ratewise/core";
import { type CellRequest, type CellResult, runCell } from "./cell.ts";

/** One data set of the simulation as a task of the worker pool. */
export const simulationCell: TaskKind<CellRequest, CellResult> = defineTask(
  "simulation-cell",
  (request: CellRequest, context) => runCell(request, context),
);
