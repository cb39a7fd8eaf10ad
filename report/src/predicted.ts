import { diagnosticOf } from "@ratewise/core/diagnostic";
import type { Ranked } from "./ranked.ts";

/** What a model predicts: a number, or the probability of a class. */
export interface Predicted {
  readonly kind: "number" | "probability";
  /** Name of the target, or of the class; null where it has none, as an output of a network may. */
  readonly of: string | null;
  /** Whether the model learned the logarithm of the number: effects are on that scale. */
  readonly log: boolean;
}

/** What the model's prediction is of; with three classes or more, of no one in particular. */
export function predictedBy({
  task,
  target,
  shapes,
  diagnostics,
}: Pick<Ranked, "task" | "target" | "shapes" | "diagnostics">): Predicted {
  const log = diagnosticOf(diagnostics, "target-logarithm") !== undefined;
  if (task === "regression") return { kind: "number", of: target, log };
  const curves = shapes[0]?.curves ?? [];
  return { kind: "probability", of: curves.length === 1 ? curves[0].class : null, log };
}
