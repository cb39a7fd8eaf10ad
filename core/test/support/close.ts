import { expect } from "vitest";

export interface Tolerance {
  readonly rtol?: number;
  readonly atol?: number;
}

/** Fails with the worst entry: |a − e| ≤ atol + rtol·|e| for every entry, NaN equal to nothing. */
export function expectClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  { rtol = 1e-12, atol = 0 }: Tolerance = {},
): void {
  expect(actual.length, "length").toBe(expected.length);
  let worst = -1;
  let worstExcess = 0;
  for (let i = 0; i < expected.length; i++) {
    const excess = Math.abs(actual[i] - expected[i]) - (atol + rtol * Math.abs(expected[i]));
    if (!(excess <= 0) && !(excess <= worstExcess)) {
      worst = i;
      worstExcess = excess;
    }
  }
  if (worst >= 0) {
    expect.fail(
      `entry ${worst} of ${expected.length}: got ${actual[worst]}, expected ${expected[worst]} (rtol ${rtol}, atol ${atol})`,
    );
  }
}
