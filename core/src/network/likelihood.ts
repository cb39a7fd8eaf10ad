import { exp, log, sigmoid, softplus } from "../elementary/index.ts";
import type { Link } from "./architecture.ts";

/**
 * −log p(y | f) of one row, and its slope in f written to `slope`. For `softmax` y is the class,
 * for `logistic` 0 or 1, and for `identity` a number with variance e^logNoise.
 */
export function negativeLogLikelihood(
  link: Link,
  f: Float64Array,
  y: number,
  logNoise: number,
  slope: Float64Array,
): number {
  switch (link) {
    case "identity": {
      const precision = exp(-logNoise);
      const residual = f[0] - y;
      slope[0] = residual * precision;
      return 0.5 * (residual * residual * precision + logNoise + log(2 * Math.PI));
    }
    case "logistic":
      slope[0] = sigmoid(f[0]) - y;
      return softplus(f[0]) - y * f[0];
    case "softmax": {
      const top = f.reduce((a, b) => Math.max(a, b));
      let sum = 0;
      for (let c = 0; c < f.length; c++) sum += exp(f[c] - top);
      for (let c = 0; c < f.length; c++) slope[c] = exp(f[c] - top) / sum - (c === y ? 1 : 0);
      return top + log(sum) - f[y];
    }
  }
  return link satisfies never;
}
