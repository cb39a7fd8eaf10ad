import type { FloatArray } from "../compute/index.ts";
import { RatewiseError } from "../errors.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import type { Progress } from "../run.ts";
import type { Layout } from "./layout.ts";
import type { Recipe } from "./recipe.ts";
import type { Trainer } from "./trainer.ts";
import { type TrainingPace, trainingPace } from "./training-pace.ts";
import { meanLoss } from "./validation-score.ts";
import { type WeightAverage, weightAverage } from "./weight-average.ts";
import { multiplyAdds } from "./work.ts";

/** What the epochs of one fit share. */
export interface PathRun {
  readonly layout: Layout;
  readonly plan: Recipe;
  readonly trainer: Trainer;
  readonly batchSize: number;
  readonly target: Float64Array;
  readonly trainingRows: Uint32Array;
  readonly validationRows: Uint32Array;
  readonly key: Key;
}

export interface EpochRecord {
  readonly penalty: number;
  readonly trainingLoss: number;
  /** Mean loss of the held-back rows at the posterior mean; NaN when none are held back. */
  readonly validationLoss: number;
}

/** Where training at one penalty began and ended. */
export interface Candidate {
  readonly start: FloatArray;
  readonly parameters: FloatArray;
  readonly penalty: number;
  readonly score: number;
  /** Epochs from `start` to `parameters`. */
  readonly epochs: number;
}

/** Multiply-adds between two looks at the abort signal, some milliseconds; and the most batches. */
const WORK_A_CALL = 1e8;
const BATCHES_A_CALL = 16;

/** Epochs of patience that `patientSteps` leaves however many steps they have. */
const LEAST_PATIENCE = 3;

/** Trains at each penalty from where the last one ended, and returns the best of them. */
export function* followPath(
  run: PathRun,
  start: FloatArray,
): Generator<
  Progress,
  { readonly best: Candidate; readonly history: EpochRecord[]; readonly pace: TrainingPace }
> {
  const { penalties, trainAgain } = run.plan;
  const pace = trainingPace(run.plan, patienceOf(run));
  const history: EpochRecord[] = [];
  let best: Candidate | null = null;
  let from = start;
  for (let at = 0; at < penalties.length; at++) {
    const last = yield* trainAt(run, from, at, history, pace);
    if (!best || last.score < best.score) {
      best = last;
      pace.choose(at, last.epochs);
    }
    from = last.parameters;
  }
  if (!trainAgain) yield pace.progress(0, 0);
  return { best: best!, history, pace };
}

/**
 * The best candidate's training over again, with the rows held back for validation too and about as many
 * steps: they have chosen the penalty and when to stop, and now teach. As many epochs would be more
 * steps, and overfit.
 */
export function* trainAgain(
  run: PathRun,
  best: Candidate,
  pace: TrainingPace,
): Generator<Progress, FloatArray> {
  const { plan, trainer, trainingRows, validationRows } = run;
  const rows = new Uint32Array(trainingRows.length + validationRows.length);
  rows.set(trainingRows);
  rows.set(validationRows, trainingRows.length);
  const epochs = Math.max(1, Math.round((best.epochs * trainingRows.length) / rows.length));
  trainer.load(best.start, best.penalty, rows.length);
  const average = averageOf(run);
  const cost = rows.length / trainingRows.length;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const told = (part: number) => pace.progress((epochs - epoch) * cost, part * cost);
    yield* trainEpoch(run, rows, plan.penalties.length, epoch, average, told);
    pace.finishEpoch(cost);
  }
  yield pace.progress(0, 0);
  if (average) trainer.exchange();
  return trainer.parameters();
}

/** Epochs at one penalty until the score stops getting better. */
function* trainAt(
  run: PathRun,
  start: FloatArray,
  at: number,
  history: EpochRecord[],
  pace: TrainingPace,
): Generator<Progress, Candidate> {
  const { layout, plan, trainer, target, trainingRows, validationRows } = run;
  const patience = patienceOf(run);
  const penalty = plan.penalties[at];
  trainer.load(start, penalty, trainingRows.length);
  const average = averageOf(run);
  const score = Number.POSITIVE_INFINITY;
  let best: Candidate = { start, parameters: start, penalty, score, epochs: 0 };
  let last = best;
  for (let epoch = 0; epoch < plan.epochs && epoch - best.epochs < patience; epoch++) {
    const ahead = pace.ahead(at, epoch, best.epochs);
    const told = (part: number) => pace.progress(ahead, part);
    const trainingLoss = yield* trainEpoch(run, trainingRows, at, epoch, average, told);
    if (average) trainer.exchange();
    const validationLoss = validationRows.length
      ? meanLoss(layout, trainer.predict(validationRows), target, validationRows)
      : Number.NaN;
    history.push({ penalty, trainingLoss, validationLoss });
    yield {
      ...told(1),
      loss: trainingLoss,
      ...(validationRows.length > 0 && { validationLoss }),
    };
    const score = plan.monitor === "validation" ? validationLoss : trainingLoss;
    if (Number.isNaN(trainingLoss) || Number.isNaN(score)) throw diverged(plan, history.length);
    last = { start, parameters: trainer.parameters(), penalty, score, epochs: epoch + 1 };
    if (average) trainer.exchange();
    if (score < best.score) best = last;
    pace.finishEpoch(1);
  }
  return plan.keep === "best" ? best : last;
}

/** One pass over the rows in a fresh order. @returns the mean loss a row. */
function* trainEpoch(
  run: PathRun,
  rows: Uint32Array,
  at: number,
  epoch: number,
  average: WeightAverage | null,
  told: (part: number) => Progress,
): Generator<Progress, number> {
  const { trainer, layout, batchSize } = run;
  const order = permutation(fold(run.key, "epoch", at, epoch), rows.length).map((i) => rows[i]);
  const stride = rowsACall(batchSize, multiplyAdds(layout));
  let sum = 0;
  for (let start = 0; start < order.length; start += stride) {
    const some = order.subarray(start, start + stride);
    sum += trainer.train(some);
    average?.add(Math.ceil(some.length / batchSize), start + stride >= order.length);
    const seen = Math.min(start + stride, order.length);
    yield { ...told(seen / order.length), loss: sum / seen };
  }
  return sum / order.length;
}

function patienceOf({ plan, trainingRows, batchSize }: PathRun): number {
  const steps = Math.ceil(trainingRows.length / batchSize);
  return Math.min(plan.patience, Math.max(LEAST_PATIENCE, Math.ceil(plan.patientSteps / steps)));
}

function averageOf({ plan, trainer }: PathRun): WeightAverage | null {
  return plan.averagedSteps > 0 ? weightAverage(trainer, plan.averagedSteps) : null;
}

/** Whole batches, at least one. */
function rowsACall(batchSize: number, work: number): number {
  const batches = Math.floor(WORK_A_CALL / (3 * batchSize * work));
  return batchSize * Math.min(Math.max(batches, 1), BATCHES_A_CALL);
}

function diverged({ learningRate, clipNorm }: Recipe, epoch: number): RatewiseError {
  return new RatewiseError("not-converged", {
    in: "fit",
    what: `needs a finite loss, got NaN in epoch ${epoch}`,
    advice: `lower learningRate (now ${learningRate})${clipNorm === Number.POSITIVE_INFINITY ? " or set clipNorm, for example to 1" : " or clipNorm"}, and check that the inputs are standardised`,
    epoch,
    learningRate,
    clipNorm,
  });
}
