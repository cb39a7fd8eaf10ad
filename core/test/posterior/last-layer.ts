import { exp } from "../../src/elementary/index.ts";
import { type Matrix, matrix, multiplyVector } from "../../src/linalg/index.ts";
import { fold, type Key, keyFromSeed, normals, uniforms } from "../../src/random/index.ts";

/** Correlated hidden values, n×l, of a spread that differs by column. */
export function hiddenValues(n: number, l: number, seed: number): Matrix {
  const next = normals(fold(keyFromSeed(seed), "hidden"));
  const H = matrix(n, l);
  for (let i = 0; i < n; i++) {
    const common = next();
    for (let k = 0; k < l; k++) H.data[i * l + k] = 0.5 + 0.6 * common + (0.5 + k / l) * next();
  }
  return H;
}

/** Responses of a last layer with random weights: numbers with noise of variance `noiseVariance`, or classes. */
export function responses(
  H: Matrix,
  key: Key,
  kind: { link: "identity"; noiseVariance: number } | { link: "classes"; classes: number },
): { y: Float64Array; weights: Float64Array[] } {
  const normal = normals(fold(key, "normal"));
  const uniform = uniforms(fold(key, "uniform"));
  const outputs = kind.link === "identity" ? 1 : kind.classes;
  const weights = Array.from({ length: outputs }, () =>
    Float64Array.from({ length: H.cols }, normal),
  );
  const F = weights.map((w) => multiplyVector(H, w));
  const y = Float64Array.from({ length: H.rows }, (_, i) => {
    if (kind.link === "identity") return F[0][i] + Math.sqrt(kind.noiseVariance) * normal();
    const odds = F.map((f) => exp(f[i]));
    const at = uniform() * odds.reduce((sum, o) => sum + o, 0);
    let sum = 0;
    const below = odds.filter((o) => {
      sum += o;
      return sum <= at;
    });
    return Math.min(below.length, outputs - 1);
  });
  return { y, weights };
}

/** The Hessian of a scalar function by central differences of its own central-difference gradient. */
export function numericHessian(
  f: (at: Float64Array) => number,
  at: Float64Array,
  h = 1e-3,
): Matrix {
  const d = at.length;
  const out = matrix(d, d);
  const value = (...moves: [number, number][]) => {
    const x = at.slice();
    for (const [k, step] of moves) x[k] += step;
    return f(x);
  };
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++)
      out.data[i * d + j] =
        (value([i, h], [j, h]) -
          value([i, h], [j, -h]) -
          value([i, -h], [j, h]) +
          value([i, -h], [j, -h])) /
        (4 * h * h);
  return out;
}
