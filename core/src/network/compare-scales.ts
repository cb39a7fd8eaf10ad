import { log } from "../elementary/index.ts";
import { weightedMean } from "../linalg/moments.ts";
import { type Candidate, outputsOf } from "./candidate.ts";
import { type Gain, gain } from "./gain.ts";
import { meanResponse, middleOf } from "./log-scale.ts";
import { heldBackWeights, type RowWeights } from "./row-weights.ts";
import type { TrainingTask } from "./train-network.ts";

/** The two scales beside each other, judged by rows held back. */
export interface ScaleComparison {
  /** Mean squared errors in units of the response's variance; predictions on the log scale are taken back first. */
  readonly asIs: number;
  readonly log: number;
  /** Of the log scale over the response as it is. */
  readonly gain: Gain;
  /** The same of −log p, p the density of a Gaussian about the prediction on either scale: of the response itself, in its own unit. */
  readonly density: Gain;
  readonly better: "as-is" | "log";
}

/** Standard errors by which squared errors may speak against the log scale and still leave it open. */
const ALIKE = 0.5;

/** A model and what it was trained on. */
interface Learned extends Omit<Candidate, "heldBack" | "losses"> {
  readonly task: TrainingTask;
  /** Null where it was not asked for. */
  readonly heldBack: Float64Array | null;
}

/**
 * Which scale predicts the response itself better, in its own unit. The log scale does where its squared errors are convincingly
 * smaller. A few large responses decide those: where they speak against it by less than half their standard error, it is also taken
 * if it makes the rows held back more probable by two standard errors.
 */
export function compareScales(asIs: Learned, logged: Learned): ScaleComparison {
  const unit = asIs.task.scale.spread ** 2;
  const [before, after] = [asIs, logged].map((learned) =>
    squaredErrors(learned).map((square) => square / unit),
  );
  const [plain, skewed] = [asIs, logged].map(surprises);
  const weights = heldBackWeights(asIs.task.splits, asIs.task.weights);
  const gained = gain(before, after, { weights });
  const density = gain(plain, skewed, { weights, share: 0, errors: 2 });
  const alike = gained.mean > -ALIKE * gained.error;
  const better = gained.convincing || (alike && density.convincing) ? "log" : "as-is";
  const [ofAsIs, ofLog] = [before, after].map((errors) => weightedMean(errors, weights));
  return { asIs: ofAsIs, log: ofLog, gain: gained, density, better };
}

/** The mean of e^(t − f), over the rows held back where there are any. */
export function smearOf(learned: Learned): number {
  const outputs = heldBackOutputs(learned);
  return weightedMean(smears(learned, outputs), outputs.weights);
}

/**
 * Squared errors of the rows held back, in the response's own unit. On a log scale each row is predicted with the smear of all
 * others: no row says itself what is added to its own prediction.
 */
function squaredErrors(learned: Learned): Float64Array {
  const { y, logScale } = learned.task;
  const outputs = heldBackOutputs(learned);
  const { rows, f, weights } = outputs;
  if (!logScale) return f.map((value, i) => (value - y[rows[i]]) ** 2);
  const factors = smears(learned, outputs);
  const weight = (i: number) => (weights ? weights[i] : 1);
  const sum = factors.reduce((total, factor, i) => total + weight(i) * factor, 0);
  const whole = factors.reduce((total, _, i) => total + weight(i), 0);
  return f.map((value, i) => {
    const smear = (sum - weight(i) * factors[i]) / (whole - weight(i));
    return (meanResponse({ ...logScale, smear }, value) - y[rows[i]]) ** 2;
  });
}

/** −log p(y) of the rows held back, but for ½log 2π. With t = log(y + shift), p(y) = p(t)/(y + shift). */
function surprises(learned: Learned): Float64Array {
  const { y, logScale } = learned.task;
  const { rows, f, weights } = heldBackOutputs(learned);
  const squares = f.map((value, i) => {
    const own = y[rows[i]];
    return ((logScale ? log(own + logScale.shift) : own) - value) ** 2;
  });
  const variance = weightedMean(squares, weights);
  return squares.map((square, i) => {
    const stretch = logScale ? log(y[rows[i]] + logScale.shift) : 0;
    return 0.5 * (log(variance) + square / variance) + stretch;
  });
}

interface Outputs {
  readonly rows: readonly number[];
  /** In the unit of the scale that was trained on. */
  readonly f: Float64Array;
  readonly weights: RowWeights;
}

function smears({ task: { y, logScale } }: Learned, { rows, f }: Outputs): Float64Array {
  return f.map((value, i) => (y[rows[i]] + logScale!.shift) / middleOf(logScale!, value));
}

/** Of the rows held back; of the rows that taught the network where there are none. */
function heldBackOutputs({ task, heldBack, ...model }: Learned): Outputs {
  const { splits, scale, weights } = task;
  const held = splits[0].validationRows.length > 0;
  const parts = splits.map(({ trainingRows, validationRows }) =>
    held ? validationRows : trainingRows,
  );
  const f =
    heldBack ?? Float64Array.from(parts.flatMap((rows, s) => [...outputsOf(task, model, s, rows)]));
  const rows = parts.flatMap((part) => [...part]);
  return {
    rows,
    f: f.map((value) => scale.centre + scale.spread * value),
    weights: weights && Float64Array.from(rows, (row) => weights[row]),
  };
}
