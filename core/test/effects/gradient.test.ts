import { describe, expect, test } from "vitest";
import {
  addJacobian,
  type GaussianWeights,
  gradientMoments,
  gradientScores,
  type JacobianBlock,
} from "../../src/effects/index.ts";
import { cholesky, choleskyInverse, type Matrix, matrix } from "../../src/linalg/index.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const [N, P, L] = [7, 4, 3];
const next = normals(keyFromSeed(1));
const draw = (length: number) => Float64Array.from({ length }, next);
const J = draw(P * N * L);
const mean = draw(L);
const variances = Float64Array.of(0.4, 1.3, 0.7);
const columnVariances = Float64Array.of(1, 0.3, 2.5, 0.8);
const noiseVariance = 3;
const block = (start: number, end: number): JacobianBlock => {
  const rows = end - start;
  const data = new Float64Array(P * rows * L);
  for (let j = 0; j < P; j++)
    data.set(J.subarray((j * N + start) * L, (j * N + end) * L), j * rows * L);
  return { data, rows, variables: P, hidden: L };
};
const moments = gradientMoments(P, L);
addJacobian(moments, block(0, 3));
addJacobian(moments, block(3, N));

const fullCovariance = (() => {
  const A = draw(L * L);
  const V = matrix(L, L);
  for (let a = 0; a < L; a++)
    for (let b = 0; b < L; b++)
      for (let k = 0; k < L; k++) V.data[a * L + b] += A[a * L + k] * A[b * L + k];
  return V;
})();
const asMatrix = (V: Float64Array | Matrix) => {
  if (!(V instanceof Float64Array)) return V;
  const out = matrix(L, L);
  V.forEach((v, k) => {
    out.data[k * L + k] = v;
  });
  return out;
};

/**
 * The definition: all n·p derivatives J_ijᵀw/√n as one Gaussian with noise d_j, its covariance
 * inverted whole, and ½μ_gᵀ(Λ_g − Ω_g⁻¹)μ_g (or ½μ_gᵀ(I/d − Ω_g⁻¹)μ_g = ½vᵀ(I + S_g)⁻¹v without the K⁻¹ term).
 */
function bruteForce(V: Matrix, members: readonly number[], conditional: boolean): number {
  const size = N * P;
  const omega = matrix(size, size);
  const mu = new Float64Array(size);
  const d = columnVariances.map((variance) => noiseVariance / ((N - 1) * variance));
  for (let a = 0; a < size; a++) {
    const Ja = J.subarray(a * L, (a + 1) * L);
    mu[a] = Ja.reduce((sum, value, k) => sum + value * mean[k], 0) / Math.sqrt(N);
    for (let b = 0; b < size; b++) {
      const Jb = J.subarray(b * L, (b + 1) * L);
      for (let k = 0; k < L; k++)
        for (let q = 0; q < L; q++)
          omega.data[a * size + b] += (Ja[k] * V.data[k * L + q] * Jb[q]) / N;
    }
    omega.data[a * size + a] += d[Math.floor(a / N)];
  }
  const own = members.flatMap((j) => Array.from({ length: N }, (_, i) => j * N + i));
  const lambda = choleskyInverse(cholesky(omega));
  const block = matrix(own.length, own.length);
  own.forEach((a, s) => {
    own.forEach((b, t) => {
      block.data[s * own.length + t] = omega.data[a * size + b];
    });
  });
  const ownInverse = choleskyInverse(cholesky(block));
  let sum = 0;
  own.forEach((a, s) => {
    own.forEach((b, t) => {
      const left = conditional ? lambda.data[a * size + b] : a === b ? 1 / d[Math.floor(a / N)] : 0;
      sum += 0.5 * mu[a] * mu[b] * (left - ownInverse.data[s * own.length + t]);
    });
  });
  return sum;
}

const options = { noiseVariance, columnVariances };

describe("gradient scores", () => {
  for (const [name, covariance] of [
    ["diagonal", variances],
    ["full", fullCovariance],
  ] as const) {
    const weights: GaussianWeights = { mean, covariance };

    test(`the full form is the definition's, for a ${name} covariance`, () => {
      const { full } = gradientScores(moments, weights, options);
      const expected = [0, 1, 2, 3].map((j) => bruteForce(asMatrix(covariance), [j], true));
      expectClose(full!, expected, { rtol: 1e-9 });
    });

    test(`the full form of groups is the definition's, for a ${name} covariance`, () => {
      const groups = [[0, 2], [3, 1], [1]];
      const { full } = gradientScores(moments, weights, { ...options, groups });
      const expected = groups.map((group) => bruteForce(asMatrix(covariance), group, true));
      expectClose(full!, expected, { rtol: 1e-9 });
    });

    test(`the weak form is Var²·cᵀVc, for a ${name} covariance`, () => {
      const { weak } = gradientScores(moments, weights, options);
      const V = asMatrix(covariance);
      const expected = [0, 1, 2, 3].map((j) => {
        const c = new Float64Array(L);
        for (let i = 0; i < N; i++) {
          const Jij = J.subarray((j * N + i) * L, (j * N + i + 1) * L);
          const g = Jij.reduce((sum, value, k) => sum + value * mean[k], 0);
          for (let k = 0; k < L; k++) c[k] += (Jij[k] * g) / N;
        }
        let quadratic = 0;
        for (let a = 0; a < L; a++)
          for (let b = 0; b < L; b++) quadratic += c[a] * V.data[a * L + b] * c[b];
        return columnVariances[j] ** 2 * quadratic;
      });
      expectClose(weak, expected, { rtol: 1e-10 });
    });
  }

  const weights: GaussianWeights = { mean, covariance: variances };

  test("the mean squared gradient is what it says, and adds up over groups", () => {
    const expected = [0, 1, 2, 3].map((j) => {
      let sum = 0;
      for (let i = 0; i < N; i++) {
        let g = 0;
        for (let k = 0; k < L; k++) g += J[(j * N + i) * L + k] * mean[k];
        sum += g * g;
      }
      return (columnVariances[j] * sum) / N;
    });
    expectClose(gradientScores(moments, weights, options).meanSquared, expected);
    const groups = [[0, 3], [2]];
    const grouped = gradientScores(moments, weights, { ...options, groups }).meanSquared;
    expectClose(grouped, [expected[0] + expected[3], expected[2]]);
  });

  test("without the K⁻¹ term it is ½vᵀ(I + S_j)⁻¹v, above the conditional one", () => {
    const { full } = gradientScores(moments, weights, { ...options, conditional: false });
    const conditional = gradientScores(moments, weights, options).full!;
    full!.forEach((score, j) => {
      expect(score).toBeGreaterThan(conditional[j]);
    });
    const expected = [0, 1, 2, 3].map((j) => bruteForce(asMatrix(variances), [j], false));
    expectClose(full!, expected, { rtol: 1e-9 });
  });

  test("the scores do not depend on the units of a column", () => {
    const factor = 10;
    const scaled = gradientMoments(P, L);
    const whole = block(0, N);
    const data = whole.data.map((value, e) => (e < N * L ? value / factor : value));
    addJacobian(scaled, { ...whole, data });
    const changed = columnVariances.map((v, j) => (j === 0 ? v * factor ** 2 : v));
    const a = gradientScores(moments, weights, options);
    const b = gradientScores(scaled, weights, { ...options, columnVariances: changed });
    expectClose(b.full!, a.full!, { rtol: 1e-9 });
    expectClose(b.weak, a.weak, { rtol: 1e-9 });
    expectClose(b.meanSquared, a.meanSquared, { rtol: 1e-9 });
  });

  test("known means need no l×l matrices and give the two cheap forms", () => {
    const lean = gradientMoments(P, L, [draw(L), mean]);
    addJacobian(lean, block(0, 4));
    addJacobian(lean, block(4, N));
    const expected = gradientScores(moments, weights, options);
    const { full, weak, meanSquared } = gradientScores(lean, weights, options);
    expect(full).toBeNull();
    expectClose(weak, expected.weak, { rtol: 1e-10 });
    expectClose(meanSquared, expected.meanSquared, { rtol: 1e-10 });
    const other = { mean: draw(L), covariance: variances };
    expect(() => gradientScores(lean, other, options)).toThrow("one of the means");
  });

  test("wrong shapes are refused", () => {
    const columns = { ...options, columnVariances: columnVariances.subarray(1) };
    expect(() => gradientScores(moments, weights, columns)).toThrow("needs 4 column variances");
    expect(() => addJacobian(moments, { ...block(0, 2), rows: 3 })).toThrow("4×rows×3");
    expect(() => gradientScores(moments, weights, { ...options, groups: [[4]] })).toThrow(
      "below 4",
    );
  });
});
