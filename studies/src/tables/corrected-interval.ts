import { mean } from "../mean-with-error.ts";

export interface CorrectedInterval {
  readonly mean: number;
  /** Half its width; NaN for a single split. */
  readonly half: number;
}

/**
 * The 95% interval of a mean difference over J random splits of one table, x̄ ± t·√((1/J + test/train)·s²) with J − 1 degrees of
 * freedom. The splits share rows, so a plain interval would be too narrow (Nadeau and Bengio 2003).
 */
export function correctedInterval(
  differences: readonly number[],
  { train, test }: { readonly train: number; readonly test: number },
): CorrectedInterval {
  const J = differences.length;
  const middle = mean(differences);
  if (J < 2) return { mean: middle, half: Number.NaN };
  const squares = differences.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const variance = (1 / J + test / train) * (squares / (J - 1));
  return { mean: middle, half: centralQuantile(J - 1) * Math.sqrt(variance) };
}

/** t with P(|T| ≤ t) = 0.95 for Student's distribution. */
export function centralQuantile(degrees: number): number {
  let [low, high] = [0, 13]; // 12.7 for one degree of freedom
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (centralShare(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(|T| ≤ t) as a finite sum (Abramowitz and Stegun 26.7.3 and 26.7.4). O(degrees). */
function centralShare(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = degrees % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = 0;
  for (let k = odd ? 1 : 0; k <= degrees - 2; k += 2) {
    sum += term;
    term *= (cosine ** 2 * (k + 1)) / (k + 2);
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}
