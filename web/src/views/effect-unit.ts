import type { Explained } from "../protocol.ts";
import { shownName } from "./name.tsx";

/** What effects are measured in: those of numbers in the target's units, those of classes in log-odds. */
export function effectUnit({ kind, of, log }: Explained["predicted"]): string {
  if (log && of !== null)
    return `the logarithm of ${shownName(of)} (one tenth is about ten percent more)`;
  if (kind === "number") return of === null ? "units of the output" : `units of ${shownName(of)}`;
  return of === null ? "log-odds" : `log-odds of ${shownName(of)}`;
}

/** What the model says of a row. */
export function predictionOf({ kind, of }: Explained["predicted"]): string {
  if (of === null) return "the prediction";
  return kind === "number"
    ? `the predicted ${shownName(of)}`
    : `the probability of ${shownName(of)}`;
}
