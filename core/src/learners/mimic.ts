import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { RatewiseError, refuseUnknown, shapeError } from "../errors.ts";
import { type Matrix, matrix } from "../linalg/index.ts";
import { squaresOf } from "../linalg/moments.ts";
import { fold, type Key } from "../random/index.ts";
import { checkKey } from "../random/key.ts";
import type { Progress } from "../run.ts";
import { type Learner, type LearnerRun, learnerRunOptions } from "./learner.ts";
import { predictionScore } from "./search-score.ts";

export interface MimicRows {
  readonly X: Matrix;
  /** What the model that is mimicked predicts there: n×1 means, or n×classes probabilities. */
  readonly predictions: Matrix;
}

export interface MimicOptions<Model> extends LearnerRun {
  readonly key: Key;
  /** Scores of a fitted model, one or more; default the learner's own importance of columns. */
  readonly importance?: (model: Model) => Float64Array;
}

const known: Readonly<Record<keyof MimicOptions<unknown>, true>> = {
  key: true,
  importance: true,
  ...learnerRunOptions,
};

/** Learners trained to predict what another model predicts. */
export interface Mimic<Model> {
  /** One per output that is learned: the mean, the probability of the second of two classes, or one per class. */
  readonly models: readonly Model[];
  /** R² of the mimic's predictions of the model on rows neither saw, over all outputs. */
  readonly heldOut: number;
  /** The importance of each column, averaged over outputs by how much each of them varies; null where the learner has none. */
  readonly importance: Float64Array | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Below this R² the importance of the mimic says little about what it mimics. */
const LEAST_FIDELITY = 0.8;

/**
 * A mimic (Buciluă and others 2006; Che and others 2016): the learner, as a regression, trained on the soft predictions of a model and
 * scored on held-out rows against the same model. Its importance speaks of the model only as far as it mimics well: below R² 0.8
 * a diagnostic says so.
 */
export async function fitMimic<Model>(
  learner: Learner<Model>,
  train: MimicRows,
  test: MimicRows,
  options: MimicOptions<Model>,
): Promise<Mimic<Model>> {
  refuseUnknown("fitMimic", options, known);
  const { key, importance = learner.importance, onProgress, ...run } = options;
  checkKey("fitMimic", key);
  const targets = mimicTargets(train);
  const truths = mimicTargets(test);
  if (truths.length !== targets.length)
    throw shapeError("fitMimic", `${targets.length} outputs on held-out rows`, `${truths.length}`);
  const models: Model[] = [];
  const predicted: Float64Array[] = [];
  for (const [output, target] of targets.entries()) {
    const model = await learner.fit(
      train.X,
      target,
      { kind: "regression" },
      fold(key, "output", output),
      { ...run, ...(onProgress && { onProgress: partOf(onProgress, output, targets.length) }) },
    );
    models.push(model);
    predicted.push(learner.predict(model, test.X).data);
  }
  const heldOut = explained(predicted, truths);
  return {
    models,
    heldOut,
    importance: importance
      ? averaged(
          models.map((model) => importance(model)),
          targets,
        )
      : null,
    diagnostics: heldOut >= LEAST_FIDELITY ? [] : [poorMimic(learner.name, heldOut)],
  };
}

/** Progress of one output among several: a stage ends once, with the last of them. */
function partOf(
  onProgress: (event: Progress) => void,
  output: number,
  outputs: number,
): (event: Progress) => void {
  return (event) =>
    onProgress({
      ...event,
      done: output * event.total + event.done,
      total: outputs * event.total,
    });
}

/** The columns of the predictions that are not told by the others: of two classes the second. */
export function mimicTargets({ X, predictions }: MimicRows): Float64Array[] {
  const { data, rows, cols } = predictions;
  if (rows !== X.rows) throw shapeError("fitMimic", `predictions for ${X.rows} rows`, `${rows}`);
  const bad = data.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0)
    throw new RatewiseError("domain", {
      in: "fitMimic",
      what: `needs finite predictions, got ${data[bad]} in row ${Math.floor(bad / cols)}`,
    });
  const outputs = cols === 2 ? [1] : Array.from({ length: cols }, (_, c) => c);
  return outputs.map((c) => Float64Array.from({ length: rows }, (_, i) => data[i * cols + c]));
}

function explained(predicted: readonly Float64Array[], truths: readonly Float64Array[]): number {
  let residual = 0;
  let total = 0;
  truths.forEach((truth, c) => {
    const spread = squaresOf(truth);
    total += spread;
    residual +=
      (1 - predictionScore(matrix(truth.length, 1, predicted[c]), truth, { kind: "regression" })) *
      spread;
  });
  return total > 0 ? 1 - residual / total : 0;
}

/** Each output's importance as shares, weighted by the variation of the output. */
function averaged(scores: readonly Float64Array[], targets: readonly Float64Array[]): Float64Array {
  if (scores.length === 1) return scores[0];
  const out = new Float64Array(scores[0].length);
  const weights = targets.map((target) => squaresOf(target));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  scores.forEach((score, c) => {
    const sum = score.reduce((total, value) => total + value, 0);
    if (sum > 0 && all > 0)
      for (let j = 0; j < out.length; j++) out[j] += ((score[j] / sum) * weights[c]) / all;
  });
  return out;
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

function poorMimic(name: string, heldOut: number): Diagnostic {
  // Rounded down: 79.9% is below 80% and must not read 80%.
  const share = heldOut > 0 ? `only ${percent(Math.floor(100 * heldOut) / 100)}` : "nothing";
  return diagnostic(
    "mimics-poorly",
    `On rows that neither saw, the ${name} mimic reproduces ${share} of the differences in the model's predictions, below ${percent(LEAST_FIDELITY)}. Its ranking is partly its own, not the model's.`,
    { learner: name, heldOut },
  );
}
