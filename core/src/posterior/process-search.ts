import { exp, log } from "../elementary/index.ts";
import { RatewiseError } from "../errors.ts";
import type { Matrix } from "../linalg/index.ts";
import { type Kernel, squaredDistances } from "./kernel.ts";
import { type MarginalLikelihood, marginalLikelihood } from "./marginal-likelihood.ts";
import { minimise } from "./quasi-newton.ts";

export interface Hyperparameters {
  readonly kernel: Kernel;
  readonly noiseVariance: number;
}

/** The most steps of the search. */
export const ITERATIONS = 100;
/** The slope of log p in log θ at which the search ends. */
const TOLERANCE = 1e-4;

/**
 * The hyper-parameters that maximise the marginal likelihood of y (of mean 0), from where they start, by
 * its gradient in their logarithms. Yields the iterations done.
 */
export function* searchHyperparameters(
  X: Matrix,
  y: Float64Array,
  { kernel, noiseVariance }: Hyperparameters,
): Generator<number, Hyperparameters & { readonly converged: boolean }> {
  const shared = kernel.kind !== "linear" && typeof kernel.lengthScale === "number";
  const distances = shared ? squaredDistances(X, X, true) : undefined;
  const scales =
    kernel.kind === "linear"
      ? []
      : typeof kernel.lengthScale === "number"
        ? [kernel.lengthScale]
        : [...kernel.lengthScale];
  const start = Float64Array.from([kernel.signalVariance, noiseVariance, ...scales], log);
  const unpack = (at: Float64Array): { kernel: Kernel; noiseVariance: number } => {
    const [signalVariance, noise, ...lengths] = Float64Array.from(at, exp);
    if (kernel.kind === "linear")
      return { kernel: { ...kernel, signalVariance }, noiseVariance: noise };
    const lengthScale = shared ? lengths[0] : Float64Array.from(lengths);
    return { kernel: { ...kernel, signalVariance, lengthScale }, noiseVariance: noise };
  };
  const evaluate = (at: Float64Array) => {
    const trial = unpack(at);
    const { value, gradient } = tolerant(() =>
      marginalLikelihood(X, y, trial.kernel, trial.noiseVariance, distances),
    );
    const { signalVariance, noiseVariance: noise, lengthScale } = gradient;
    const lengths =
      lengthScale === null ? [] : typeof lengthScale === "number" ? [lengthScale] : lengthScale;
    return {
      value: -value,
      gradient: Float64Array.from([signalVariance, noise, ...lengths], (g) => -g),
    };
  };
  const steps = minimise(evaluate, start, {
    iterations: ITERATIONS,
    tolerance: TOLERANCE,
    longestStep: 1,
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return { ...unpack(step.value.at), converged: step.value.converged };
    yield step.value;
  }
}

/** Where a covariance cannot be factored the likelihood counts as zero, and the search turns back. */
function tolerant(evaluate: () => MarginalLikelihood): MarginalLikelihood {
  try {
    return evaluate();
  } catch (error) {
    const expected = ["not-positive-definite", "domain"];
    if (!(error instanceof RatewiseError && expected.includes(error.code))) throw error;
    const none = Number.NaN;
    return {
      value: Number.NEGATIVE_INFINITY,
      gradient: { signalVariance: none, noiseVariance: none, lengthScale: none },
    };
  }
}
