export interface MeanWithError {
  readonly mean: number;
  /** NaN for a single value. */
  readonly error: number;
}

/** Mean and its standard error, √(Σ(x − x̄)²/(n − 1)/n). */
export function meanWithError(values: readonly number[]): MeanWithError {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return { mean: middle, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** "0.608 ± 0.014", and two digits of a single value, whose error is null once it has been JSON. */
export function plusMinus({ mean: value, error }: MeanWithError): string {
  const text = Number.isFinite(error)
    ? `${value.toFixed(3)} ± ${error.toFixed(3)}`
    : value.toFixed(2);
  return text.replace("-", "−");
}
