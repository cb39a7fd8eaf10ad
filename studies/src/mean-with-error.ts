export interface MeanWithError {
  readonly mean: number;
  /** NaN for a single value. */
  readonly error: number;
}

/** Mean and its standard error, √(Σ(x − x̄)²/(n − 1)/n). */
export function meanWithError(values: readonly number[]): MeanWithError {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** "0.608 ± 0.014", and two digits of a single value. */
export function plusMinus({ mean, error }: MeanWithError): string {
  const text = Number.isNaN(error) ? mean.toFixed(2) : `${mean.toFixed(3)} ± ${error.toFixed(3)}`;
  return text.replace("-", "−");
}
