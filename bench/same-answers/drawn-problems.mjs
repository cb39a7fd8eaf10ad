import { drawn } from "./drawn-numbers.mjs";

/** A matrix as the library takes it: plain data. */
export const dense = (rows, cols, data) => ({ data: Float64Array.from(data), rows, cols });

export const drawnMatrix = (seed, rows, cols) =>
  dense(rows, cols, drawn(seed).normals(rows * cols));

/** Rows, hidden units and a response of each kind that hangs on them. */
export function problem(seed, rows = 60, cols = 4, units = 3) {
  const { normal } = drawn(seed);
  const X = drawnMatrix(seed + 1, rows, cols);
  const H = dense(
    rows,
    units,
    Array.from({ length: rows * units }, (_, e) => {
      const at = Math.floor(e / units) * cols;
      return Math.max(0, X.data[at + (e % units)] + 0.5 * X.data[at + ((e + 1) % cols)]);
    }),
  );
  const y = Float64Array.from(
    { length: rows },
    (_, i) => H.data[i * units] - 0.7 * H.data[i * units + 1] + 0.3 * normal(),
  );
  const labels = y.map((value) => (value > 0 ? 1 : 0));
  const classes = y.map((value) => (value > 0.4 ? 2 : value > -0.4 ? 1 : 0));
  return { X, H, y, labels, classes };
}

/** A Gaussian of p effects with a factor of l columns, and noise. */
export function gaussianEffects(seed, p, l) {
  const { normals, uniform } = drawn(seed);
  return {
    names: Array.from({ length: p }, (_, j) => `e${j}`),
    mean: normals(p),
    factor: dense(p, l, normals(p * l)),
    noise: Float64Array.from({ length: p }, () => 0.1 + uniform()),
  };
}
