/**
 * Matrices of fixed-point numbers with 640 bits behind the point (about 192 digits): enough that the
 * definition of RATE, computed by brute force, can be read as exact beside double precision.
 */
export type Fixed = bigint;
export type FixedMatrix = readonly (readonly Fixed[])[];

const BITS = 640n;
export const ONE: Fixed = 1n << BITS;

/** The exact value of a double (|x| ≥ 2⁻⁴⁰⁰ or 0). */
export function fixed(x: number): Fixed {
  let shift = 0n;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    shift++;
  }
  return (BigInt(mantissa) << BITS) >> shift;
}

/** Nearest double, to a few units in the last place, whatever the size. */
export function toNumber(x: Fixed): number {
  if (x === 0n) return 0;
  const negative = x < 0n;
  const magnitude = negative ? -x : x;
  const excess = BigInt(Math.max(0, magnitude.toString(2).length - 64));
  const value = Number(magnitude >> excess) * 2 ** (Number(excess) - Number(BITS));
  return negative ? -value : value;
}

export const times = (a: Fixed, b: Fixed): Fixed => (a * b) >> BITS;
export const over = (a: Fixed, b: Fixed): Fixed => (a << BITS) / b;

export const fixedMatrix = (rows: number, cols: number, at: (i: number, j: number) => Fixed) =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, j) => at(i, j)));

export function product(A: FixedMatrix, B: FixedMatrix): FixedMatrix {
  return fixedMatrix(A.length, B[0]?.length ?? 0, (i, j) => {
    let sum = 0n;
    for (let k = 0; k < B.length; k++) sum += A[i][k] * B[k][j];
    return sum >> BITS;
  });
}

export const transposed = (A: FixedMatrix): FixedMatrix =>
  fixedMatrix(A[0]?.length ?? 0, A.length, (i, j) => A[j][i]);

export const part = (
  A: FixedMatrix,
  rows: readonly number[],
  cols: readonly number[],
): FixedMatrix => fixedMatrix(rows.length, cols.length, (i, j) => A[rows[i]][cols[j]]);

export function trace(A: FixedMatrix): Fixed {
  return A.reduce((sum, row, i) => sum + row[i], 0n);
}

/** A⁻¹B and |A| by Gaussian elimination with the largest pivot. */
export function solve(
  A: FixedMatrix,
  B: FixedMatrix,
): { solution: FixedMatrix; determinant: Fixed } {
  const n = A.length;
  const work = A.map((row, i) => [...row, ...B[i]]);
  let determinant = ONE;
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k; i < n; i++) if (abs(work[i][k]) > abs(work[best][k])) best = i;
    if (work[best][k] === 0n) throw new Error("solve: singular");
    if (best !== k) determinant = -determinant;
    [work[k], work[best]] = [work[best], work[k]];
    const pivot = work[k][k];
    determinant = times(determinant, pivot);
    for (let j = k; j < work[k].length; j++) work[k][j] = over(work[k][j], pivot);
    for (let i = 0; i < n; i++) {
      const factor = work[i][k];
      if (i === k || factor === 0n || (i < k && B[0].length === 0)) continue;
      for (let j = k; j < work[k].length; j++) work[i][j] -= times(factor, work[k][j]);
    }
  }
  return { solution: work.map((row) => row.slice(n)), determinant };
}

export const inverse = (A: FixedMatrix): FixedMatrix =>
  solve(
    A,
    fixedMatrix(A.length, A.length, (i, j) => (i === j ? ONE : 0n)),
  ).solution;

export const determinant = (A: FixedMatrix): Fixed =>
  solve(
    A,
    A.map(() => []),
  ).determinant;

const abs = (x: Fixed): Fixed => (x < 0n ? -x : x);

/** Natural logarithm: x = 2^k·m with 1 ≤ m < 2, and log m = 2 artanh((m − 1)/(m + 1)). */
export function log(x: Fixed): Fixed {
  if (x <= 0n) throw new Error("log: not positive");
  let mantissa = x;
  let power = 0n;
  for (; mantissa >= 2n * ONE; mantissa >>= 1n) power++;
  for (; mantissa < ONE; mantissa <<= 1n) power--;
  return power * LOG_TWO + logNearOne(mantissa);
}

function logNearOne(m: Fixed): Fixed {
  const ratio = over(m - ONE, m + ONE);
  const square = times(ratio, ratio);
  let sum = 0n;
  let power = ratio;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k;
    power = times(power, square);
  }
  return 2n * sum;
}

const LOG_TWO = logNearOne(2n * ONE);
