import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { type ClassScores, hasLearnt, type ModelScores } from "../fit/model-scores.ts";
import type { Prepared } from "../prepare/prepared.ts";

/** Fewer held-out rows than this say little about how good a model is. */
const FEW_ROWS = 50;
/** A share of the variance below this is not worth explaining. */
const LEAST_GAIN = 0.05;
/** A score on unseen rows above this is seldom honest. */
const TOO_GOOD = 0.999;
/** So small a share of the classes' own log loss is left where the target is given away. */
const LEAKING = 0.2;

/** Importance in a model that predicts nothing is importance for nothing: said before all else. */
export function modelDiagnostics(scores: ModelScores): Diagnostic[] {
  const { rows } = scores;
  const few: Diagnostic[] =
    rows >= FEW_ROWS
      ? []
      : [
          diagnostic(
            "few-held-out-rows",
            `The score on unseen rows comes from only ${rows} rows. Another seed may give a very different score.`,
            { rows },
          ),
        ];
  return [...few, ...(scores.metric === "r2" ? ofNumbers(scores.r2, scores) : ofClasses(scores))];
}

function ofNumbers(r2: number, { baseline }: ModelScores): Diagnostic[] {
  if (r2 > TOO_GOOD) return [perfect(`R² ${r2.toFixed(4)}`, r2)];
  if (r2 > LEAST_GAIN) return [];
  return [
    diagnostic(
      "model-predicts-poorly",
      `On rows it never saw, the model explains almost nothing (R² ${r2.toFixed(2)}). The ranking describes a model that has not learnt this target.`,
      { score: r2, baseline },
    ),
  ];
}

/**
 * Classes may be rare, so naming the right one is no measure of what was learnt: probabilities are. And where one class is rare,
 * a model that gives the target away shows in how the rows are ordered.
 */
function ofClasses(scores: ClassScores): Diagnostic[] {
  const { logLoss, baseline, auc, accuracy } = scores;
  if (!hasLearnt(scores))
    return [
      diagnostic(
        "model-predicts-poorly",
        `On rows it never saw, the model's probabilities are not convincingly better than the shares of the classes (log loss ${logLoss.toFixed(3)} against ${baseline.toFixed(3)}). The ranking describes a model that has not learnt this target.`,
        { score: logLoss, baseline },
      ),
    ];
  // Rows may be put in their order and still be given the wrong probabilities, as those of a class that training had not.
  const ordered = (auc ?? 0) > TOO_GOOD && logLoss < LEAKING * baseline;
  if (!(accuracy > TOO_GOOD || ordered)) return [];
  const area = auc === null ? "" : `, AUC ${auc.toFixed(4)}`;
  return [perfect(`${(100 * accuracy).toFixed(1)}% right${area}`, auc ?? accuracy)];
}

/** Classes that came on unseen rows and in no row that taught the model. */
export function unseenClasses({ classes, train, test }: Prepared): Diagnostic[] {
  if (!classes) return [];
  const known = new Set(train.y);
  return classes.flatMap((name, c) => {
    const rows = test.y.reduce((sum, label) => sum + Number(label === c), 0);
    if (known.has(c) || rows === 0) return [];
    return [
      diagnostic(
        "class-not-in-training",
        `The class "${name}" is in ${rows} of the rows to test on and in none to learn from, so the model cannot predict it.`,
        { name, rows },
      ),
    ];
  });
}

function perfect(how: string, score: number): Diagnostic {
  return diagnostic(
    "model-predicts-perfectly",
    `On rows it never saw, the model is almost perfect (${how}). Is a variable the target in another form, or something known only after the target?`,
    { score },
  );
}
