import { defineTask, type TaskKind } from "@ratewise/core/parallel";
import { type CellRequest, type CellResult, runCell } from "./cell.ts";
import { type MethodsRequest, type MethodsResult, runMethodsCell } from "./methods-cell.ts";

/** One data set of the simulation as a task of the worker pool. */
export const simulationCell: TaskKind<CellRequest, CellResult> = defineTask(
  "simulation-cell",
  (request: CellRequest, context) => runCell(request, context),
);

/** One part of a data set's rankings by the paper's methods. */
export const methodsCell: TaskKind<MethodsRequest, MethodsResult> = defineTask(
  "simulation-methods",
  // Learners refuse options that they do not know, and the context of a task has more.
  (request: MethodsRequest, { signal, onProgress }) =>
    runMethodsCell(request, { ...(signal && { signal }), ...(onProgress && { onProgress }) }),
);
