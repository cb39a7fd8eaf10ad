import type { FloatArray } from "../compute/index.ts";
import { RatewiseError } from "../errors.ts";
import { fold, type Key, permutation } from "../random/index.ts";
import type { Progress } from "../run.ts";
import type { Layout } from "./layout.ts";
import type { Recipe } from "./recipe.ts";
import { type RowWeights, weightOf } from "./row-weights.ts";
import type { Trainer } from "./trainer.ts";
import { type TrainingPace, trainingPace } from "./training-pace.ts";
import { meanLoss } from "./validation-score.ts";
import { type WeightAverage, weightAverage } from "./weight-average.ts";
import { multiplyAdds } from "./work.ts";

/** Rows held back, and a trainer that sees the others. */
export interface Fold {
  readonly trainer: Trainer;
  readonly trainingRows: Uint32Array;
  readonly validationRows: Uint32Array;
}

/** What the epochs of one fit share. The folds are trained side by side and judged by all rows that they hold back. */
export interface PathRun {
  readonly layout: Layout;
  readonly plan: Recipe;
  readonly folds: readonly Fold[];
  readonly batchSize: number;
  readonly target: Float64Array;
  readonly weights: RowWeights;
  readonly key: Key;
  /** f at every fold's rows, one list per look, where there are several folds. */
  readonly looks: FloatArray[][];
  /** The path ends after its first penalty unless its score is below this. */
  readonly hurdle: number;
}

export interface EpochRecord {
  readonly penalty: number;
  readonly trainingLoss: number;
  /** Mean loss of the held-back rows at the posterior mean; NaN when none are held back. */
  readonly validationLoss: number;
}

/** Where training at one penalty began and ended. */
export interface Candidate {
  /** One per fold, as `parameters`. */
  readonly starts: readonly FloatArray[];
  readonly parameters: readonly FloatArray[];
  readonly penalty: number;
  readonly score: number;
  /** Epochs from `starts` to `parameters`. */
  readonly epochs: number;
}

/** Multiply-adds between two looks at the abort signal, some milliseconds; and the most batches. */
const WORK_A_CALL = 1e8;
const BATCHES_A_CALL = 16;

/**
 * The most rows between two looks at the rows held back: where an epoch has more, it is several passes, and training can
 * stop within it. Below a million rows no epoch has more.
 */
const ROWS_A_PASS = 700_000;

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
  let from: readonly FloatArray[] = run.folds.map(() => start);
  for (let at = 0; at < penalties.length; at++) {
    const last = yield* trainAt(run, from, at, history, pace);
    if (!best || last.score < best.score) {
      best = last;
      pace.choose(at, last.epochs);
    }
    from = last.parameters;
    if (at === 0 && !(best.score < run.hurdle)) break;
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
  trainer: Trainer,
): Generator<Progress, FloatArray> {
  const { plan, folds } = run;
  const { trainingRows, validationRows } = folds[0];
  const rows = new Uint32Array(trainingRows.length + validationRows.length);
  rows.set(trainingRows);
  rows.set(validationRows, trainingRows.length);
  const seen = best.epochs * rowsAPass(run, trainingRows.length);
  const epochs = Math.max(1, Math.round(seen / rowsAPass(run, rows.length)));
  trainer.load(best.starts[0], best.penalty, rows.length);
  const average = averageOf(run, trainer);
  const cost = rowsAPass(run, rows.length) / rowsAPass(run, trainingRows.length);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const told = (part: number) => pace.progress((epochs - epoch) * cost, part * cost);
    const order = passOrder(run, rows, plan.penalties.length, epoch);
    yield* trainEpoch(run, trainer, order, average, told);
    pace.finishEpoch(cost);
  }
  yield pace.progress(0, 0);
  if (average) trainer.exchange();
  return trainer.parameters();
}

/** Epochs at one penalty until the score stops getting better. */
function* trainAt(
  run: PathRun,
  starts: readonly FloatArray[],
  at: number,
  history: EpochRecord[],
  pace: TrainingPace,
): Generator<Progress, Candidate> {
  const { plan, folds } = run;
  const patience = patienceOf(run);
  const penalty = plan.penalties[at];
  const averages = folds.map(({ trainer, trainingRows }, f) => {
    trainer.load(starts[f], penalty, trainingRows.length);
    return averageOf(run, trainer);
  });
  const score = Number.POSITIVE_INFINITY;
  let best: Candidate = { starts, parameters: starts, penalty, score, epochs: 0 };
  let last = best;
  for (let epoch = 0; epoch < plan.epochs && epoch - best.epochs < patience; epoch++) {
    const ahead = pace.ahead(at, epoch, best.epochs);
    let trainingLoss = 0;
    for (const [f, { trainer, trainingRows }] of folds.entries()) {
      const told = (part: number) => pace.progress(ahead, (f + part) / folds.length);
      const order = passOrder(run, trainingRows, at, epoch, f);
      trainingLoss += (yield* trainEpoch(run, trainer, order, averages[f], told)) / folds.length;
    }
    const exchange = () => {
      for (const [f, { trainer }] of folds.entries()) if (averages[f]) trainer.exchange();
    };
    exchange();
    const validationLoss = heldBackLoss(run);
    history.push({ penalty, trainingLoss, validationLoss });
    yield {
      ...pace.progress(ahead, 1),
      loss: trainingLoss,
      ...(!Number.isNaN(validationLoss) && { validationLoss }),
    };
    const score = plan.monitor === "validation" ? validationLoss : trainingLoss;
    if (Number.isNaN(trainingLoss) || Number.isNaN(score)) throw diverged(plan, history.length);
    const parameters = folds.map(({ trainer }) => trainer.parameters());
    last = { starts, parameters, penalty, score, epochs: epoch + 1 };
    exchange();
    if (score < best.score) best = last;
    pace.finishEpoch(1);
  }
  return plan.keep === "best" ? best : last;
}

/** Mean loss of the rows that the folds hold back, NaN where they hold back none. */
function heldBackLoss({ layout, target, weights, folds, looks }: PathRun): number {
  const look: FloatArray[] = [];
  let sum = 0;
  let rows = 0;
  for (const { trainer, validationRows } of folds) {
    if (validationRows.length === 0) continue;
    const predicted = trainer.predict(validationRows);
    const mean = meanLoss(layout, predicted, target, validationRows, weights);
    if (folds.length === 1) return mean;
    look.push(predicted);
    sum += mean * weightOf(validationRows, weights);
    rows += weightOf(validationRows, weights);
  }
  if (look.length > 0) looks.push(look);
  return sum / rows;
}

/** A pass is an epoch, or a part of one where rows are very many, or several where they are few; each fold has its own. */
function passOrder(
  run: PathRun,
  rows: Uint32Array,
  at: number,
  pass: number,
  place = 0,
): Uint32Array {
  const { key } = run;
  const orderOf = (epoch: number): Uint32Array => {
    const own = place > 0 ? fold(key, "epoch", at, epoch, place) : fold(key, "epoch", at, epoch);
    return permutation(own, rows.length).map((i) => rows[i]);
  };
  const { parts, epochs } = passOf(run, rows.length);
  if (parts > 1) {
    const part = pass % parts;
    const [from, to] = [part, part + 1].map((k) => Math.round((k * rows.length) / parts));
    return orderOf(Math.floor(pass / parts)).subarray(from, to);
  }
  if (epochs === 1) return orderOf(pass);
  const order = new Uint32Array(epochs * rows.length);
  for (let e = 0; e < epochs; e++) order.set(orderOf(pass * epochs + e), e * rows.length);
  return order;
}

/** How many passes an epoch of so many rows is, and how many epochs a pass is: one of them is 1. */
function passOf({ plan, batchSize }: Pick<PathRun, "plan" | "batchSize">, rows: number) {
  const steps = Math.ceil(rows / batchSize);
  return {
    parts: Math.max(1, Math.ceil(rows / ROWS_A_PASS)),
    epochs: Math.max(1, Math.ceil(plan.leastSteps / steps)),
  };
}

function rowsAPass(run: Pick<PathRun, "plan" | "batchSize">, rows: number): number {
  const { parts, epochs } = passOf(run, rows);
  return (rows * epochs) / parts;
}

/** One pass over the rows in the order given. @returns the mean loss per row. */
function* trainEpoch(
  { layout, batchSize }: PathRun,
  trainer: Trainer,
  order: Uint32Array,
  average: WeightAverage | null,
  told: (part: number) => Progress,
): Generator<Progress, number> {
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

function patienceOf(run: PathRun): number {
  const { plan, folds, batchSize } = run;
  const steps = Math.ceil(rowsAPass(run, folds[0].trainingRows.length) / batchSize);
  return Math.min(plan.patience, Math.max(LEAST_PATIENCE, Math.ceil(plan.patientSteps / steps)));
}

function averageOf({ plan }: PathRun, trainer: Trainer): WeightAverage | null {
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
