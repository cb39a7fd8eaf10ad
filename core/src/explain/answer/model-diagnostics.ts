import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import type { HeldOut } from "../fit/held-out.ts";

/** Fewer held-out rows than this say little about how good a model is. */
const FEW_ROWS = 50;
/** A gain over the baseline below this is not worth explaining. */
const LEAST_GAIN = 0.05;

/** A score on unseen rows above this is seldom honest. */
const TOO_GOOD = 0.999;

/** Importance in a model that predicts nothing is importance for nothing: said before all else. */
export function modelDiagnostics(
  { metric, score, baseline }: HeldOut,
  testRows: number,
): Diagnostic[] {
  const few: Diagnostic[] =
    testRows >= FEW_ROWS
      ? []
      : [
          diagnostic(
            "few-held-out-rows",
            `The score on unseen rows comes from only ${testRows} rows. Another seed may give a very different score.`,
            { rows: testRows },
          ),
        ];
  const gain = metric === "r2" ? score : score - baseline;
  if (gain > LEAST_GAIN && score > TOO_GOOD)
    return [
      ...few,
      diagnostic(
        "model-predicts-perfectly",
        `On rows it never saw, the model is almost perfect (${metric === "r2" ? `R² ${score.toFixed(4)}` : `${(100 * score).toFixed(1)}% right`}). Is a variable the target in another form, or something known only after the target?`,
        { score },
      ),
    ];
  if (gain > LEAST_GAIN) return few;
  return [
    ...few,
    diagnostic(
      "model-predicts-poorly",
      metric === "r2"
        ? `On rows it never saw, the model explains almost nothing (R² ${score.toFixed(2)}). The ranking describes a model that has not learnt this target.`
        : `On rows it never saw, the model is hardly better than always predicting the commonest class (${(100 * score).toFixed(1)}% against ${(100 * baseline).toFixed(1)}%). The ranking describes a model that has not learnt this target.`,
      { score, baseline },
    ),
  ];
}
