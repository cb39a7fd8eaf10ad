import { defineTask, type TaskKind } from "@ratewise/core/parallel";
import { runOptions } from "../study/study.ts";
import { type KnockoffRequest, type KnockoffResult, runKnockoffCell } from "./knockoff-cell.ts";
import { type NullRequest, type NullResult, runNullCell } from "./null-cell.ts";

export type SelectionRequest = KnockoffRequest | NullRequest;
export type SelectionResult = KnockoffResult | NullResult;

/** One data set of the selection study as a task of the worker pool. */
export const selectionCell: TaskKind<SelectionRequest, SelectionResult> = defineTask(
  "selection-cell",
  (request: SelectionRequest, context): Promise<SelectionResult> =>
    request.study === "knockoffs"
      ? runKnockoffCell(request, runOptions(context))
      : runNullCell(request, runOptions(context)),
);
