import type { AdamState } from "../network/adam.ts";
import type { MomentsState } from "./first-layer.ts";

export interface StreamEpoch {
  readonly penalty: number;
  readonly trainingLoss: number;
  /** Mean loss of the rows held back, in units of the response's variance. */
  readonly validationLoss: number;
}

/** How far a training has come, between two epochs. */
export interface Standing {
  /** Place of the penalty. */
  at: number;
  /** Epochs at this penalty, and how many of them since the best. */
  epoch: number;
  since: number;
  /** Steps in all. */
  step: number;
  bestHere: number;
  /** The best of all. */
  score: number;
  penalty: number;
  readonly history: StreamEpoch[];
}

export function standingAtFirst(penalty: number): Standing {
  return {
    ...{ at: 0, epoch: 0, since: 0, step: 0, history: [], penalty },
    ...{ bestHere: Number.POSITIVE_INFINITY, score: Number.POSITIVE_INFINITY },
  };
}

/** What is small of a training: the head and its moments in double precision, and counts. */
export interface SmallState {
  readonly standing: Standing;
  readonly head: Float64Array;
  readonly adam: AdamState;
  /** Of the first layer: only its count of steps is small. */
  readonly moments: Pick<MomentsState, "steps">;
}

const COUNTS = 9;

/** Counts, head, its moments, then three numbers per epoch. */
export function numbersOfState({ standing, head, adam, moments }: SmallState): Float64Array {
  const { at, epoch, since, step, bestHere, score, penalty, history } = standing;
  return Float64Array.from([
    ...[at, epoch, since, step, bestHere, score, penalty, adam.steps, moments.steps],
    ...head,
    ...adam.first,
    ...adam.second,
    ...history.flatMap((one) => [one.penalty, one.trainingLoss, one.validationLoss]),
  ]);
}

/** The other way round, into what is there. */
export function restoreState(
  { standing, head, adam, moments }: SmallState,
  numbers: Float64Array,
): void {
  const size = head.length;
  const [at, epoch, since, step, bestHere, score, penalty, headSteps, steps] = numbers;
  Object.assign(standing, { at, epoch, since, step, bestHere, score, penalty });
  adam.steps = headSteps;
  moments.steps = steps;
  [head, adam.first, adam.second].forEach((array, k) => {
    array.set(numbers.subarray(COUNTS + k * size, COUNTS + (k + 1) * size));
  });
  standing.history.length = 0;
  for (let e = COUNTS + 3 * size; e + 2 < numbers.length; e += 3) {
    const [own, trainingLoss, validationLoss] = numbers.subarray(e, e + 3);
    standing.history.push({ penalty: own, trainingLoss, validationLoss });
  }
}
