import { log } from "../elementary/index.ts";
import { RatewiseError, shapeError } from "../errors.ts";
import type { Numbers } from "./ranks.ts";
import { areaUnderRoc } from "./roc.ts";

/** A probability below this counts as this: one row that was called impossible is bad, not infinitely bad. */
const LEAST = 2 ** -52;

/** −log of the probability that each row's own class was given; probabilities n×C, row-major. */
export function logLosses(probabilities: Numbers, y: Numbers): Float64Array {
  const C = classesOf("logLosses", probabilities, y);
  return Float64Array.from(y, (label, i) => -log(Math.max(probabilities[i * C + label], LEAST)));
}

/**
 * Rows by class (outer) and class predicted (inner), C×C, row-major.
 *
 * @param weights what each row counts; default 1
 */
export function confusionCounts(
  predicted: Numbers,
  y: Numbers,
  classes: number,
  weights: Numbers | null = null,
): Float64Array {
  if (predicted.length !== y.length)
    throw shapeError("confusionCounts", `one class per row (${y.length})`, `${predicted.length}`);
  const counts = new Float64Array(classes * classes);
  for (let i = 0; i < y.length; i++)
    counts[y[i] * classes + predicted[i]] += weights ? weights[i] : 1;
  return counts;
}

/** The mean over the classes that came of the share of their rows that were recognised. */
export function balancedAccuracy(confusion: Float64Array): number {
  const C = Math.sqrt(confusion.length);
  let sum = 0;
  let present = 0;
  for (let c = 0; c < C; c++) {
    const { came, right } = margins(confusion, C, c);
    if (came === 0) continue;
    sum += right / came;
    present++;
  }
  return sum / present;
}

/**
 * F1 = 2·right/(came + named), the harmonic mean of precision and recall. Of the second of two classes; of more the mean over those
 * that came or were named. 0 where the class neither came nor was named.
 */
export function f1Score(confusion: Float64Array): number {
  const C = Math.sqrt(confusion.length);
  const of = (c: number): number | null => {
    const { came, named, right } = margins(confusion, C, c);
    return came + named === 0 ? null : (2 * right) / (came + named);
  };
  if (C === 2) return of(1) ?? 0;
  const present = Array.from({ length: C }, (_, c) => of(c)).filter((f1) => f1 !== null);
  return present.reduce((sum, f1) => sum + f1, 0) / present.length;
}

function margins(confusion: Float64Array, C: number, c: number) {
  let came = 0;
  let named = 0;
  for (let o = 0; o < C; o++) {
    came += confusion[c * C + o];
    named += confusion[o * C + c];
  }
  return { came, named, right: confusion[c * C + c] };
}

/**
 * The area under the ROC curve: of two classes the chance that a row of the second one has the larger probability of it; of more the mean
 * over the classes of each against the rest. Ties count one half. Null where all rows are of one class. O(C·n log n).
 *
 * @param weights what each row counts, a pair of rows their product; default the same
 */
export function areaUnderRocOfClasses(
  probabilities: Numbers,
  y: Numbers,
  weights: Numbers | null = null,
): number | null {
  const C = classesOf("areaUnderRocOfClasses", probabilities, y);
  const areas: number[] = [];
  for (let c = C === 2 ? 1 : 0; c < C; c++) {
    const own = Uint8Array.from(y, (label) => Number(label === c));
    const came = own.reduce((sum, is) => sum + is, 0);
    if (came === 0 || came === own.length) continue;
    areas.push(
      areaUnderRoc(
        Float64Array.from(own, (_, i) => probabilities[i * C + c]),
        own,
        weights,
      ),
    );
  }
  return areas.length === 0 ? null : areas.reduce((sum, area) => sum + area, 0) / areas.length;
}

/** How many classes the probabilities are of. */
function classesOf(where: string, probabilities: Numbers, y: Numbers): number {
  const C = probabilities.length / y.length;
  if (!(Number.isInteger(C) && C >= 2))
    throw shapeError(
      where,
      `a probability of each class for ${y.length} rows`,
      `${probabilities.length}`,
    );
  for (let i = 0; i < y.length; i++)
    if (!(Number.isInteger(y[i]) && y[i] >= 0 && y[i] < C))
      throw new RatewiseError("domain", {
        in: where,
        what: `needs classes from 0 to ${C - 1}, got ${y[i]} in row ${i}`,
      });
  return C;
}
