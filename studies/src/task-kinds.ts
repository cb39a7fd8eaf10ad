import type { TaskKind } from "@ratewise/core/parallel";
import { selectionCell } from "./selection/task.ts";
import { simulationCell } from "./simulation/cell.ts";
import { methodsCell } from "./simulation/methods-cell.ts";

/** Every kind of task of the studies; the list is closed. */
export const studyTaskKinds: readonly TaskKind[] = [
  simulationCell as TaskKind,
  methodsCell as TaskKind,
  selectionCell as TaskKind,
];
