import type { Diagnostic } from "../diagnostic.ts";
import type { HeldOut } from "./held-out.ts";

/** Importance in a model that predicts nothing is importance for nothing: said before all else. */
export function modelDiagnostics({ metric, score, baseline }: HeldOut): Diagnostic[] {
  const gain = metric === "r2" ? score : score - baseline;
  if (gain > 0.02) return [];
  return [
    {
      code: "model-predicts-poorly",
      message:
        metric === "r2"
          ? `On rows it never saw the network explains ${(100 * score).toFixed(1)}% of the variance: nearly nothing. What follows describes a model that has not learnt this target.`
          : `On rows it never saw the network is right in ${(100 * score).toFixed(1)}% of the cases, and always naming the commonest class in ${(100 * baseline).toFixed(1)}%. What follows describes a model that has not learnt this target.`,
      score,
      baseline,
    },
  ];
}
