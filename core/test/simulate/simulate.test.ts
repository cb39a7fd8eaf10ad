import { describe, expect, test } from "vitest";
import { keyFromSeed } from "../../src/random/index.ts";
import {
  type ColumnCorrelation,
  causalLabels,
  correlatedNormals,
  type SimulatedRows,
  type SimulatedTruth,
  simulate,
  simulateMoreRows,
} from "../../src/simulate/index.ts";
import { expectClose } from "../support/close.ts";

const variance = (values: Float64Array) => {
  const mean = values.reduce((s, x) => s + x, 0) / values.length;
  return values.reduce((s, x) => s + (x - mean) ** 2, 0) / (values.length - 1);
};

/** The three parts of f, from the definition. */
function parts({ X, y }: SimulatedRows, truth: SimulatedTruth) {
  const [first, second] = truth.causalSets;
  const additive = new Float64Array(X.rows);
  const interaction = new Float64Array(X.rows);
  for (let i = 0; i < X.rows; i++) {
    const x = (j: number) => X.data[i * X.cols + j];
    for (let j = 0; j < X.cols; j++) additive[i] += x(j) * truth.additive[j];
    first.forEach((j, a) => {
      second.forEach((k, b) => {
        interaction[i] += x(j) * x(k) * truth.interactions.data[a * second.length + b];
      });
    });
  }
  const noise = y.map((value, i) => value - additive[i] - interaction[i]);
  return { additive, interaction, noise };
}

/** R² of least squares on the columns and a constant, by the normal equations. */
function leastSquaresR2({ X, y }: SimulatedRows): number {
  const q = X.cols + 2; // columns, constant, response
  const gram = new Float64Array(q * q);
  const row = new Float64Array(q);
  for (let i = 0; i < X.rows; i++) {
    row.set(X.data.subarray(i * X.cols, (i + 1) * X.cols));
    row[q - 2] = 1;
    row[q - 1] = y[i];
    for (let a = 0; a < q; a++) for (let b = 0; b <= a; b++) gram[a * q + b] += row[a] * row[b];
  }
  for (let a = 0; a < q; a++)
    for (let b = 0; b <= a; b++) {
      let sum = gram[a * q + b];
      for (let k = 0; k < b; k++) sum -= gram[a * q + k] * gram[b * q + k];
      gram[a * q + b] = a === b ? Math.sqrt(sum) : sum / gram[b * q + b];
    }
  // The last pivot squared is the residual sum of squares.
  return 1 - gram[q * q - 1] ** 2 / (variance(y) * (y.length - 1));
}

describe("the paper's generator", () => {
  const data = simulate({ key: keyFromSeed(1), rows: 100_000 });

  test("splits the variance 0.3, 0.3, 0.4 exactly on its own rows", () => {
    const { additive, interaction, noise } = parts(data, data.truth);
    expectClose([variance(additive), variance(interaction)], [0.3, 0.3], { rtol: 1e-9 });
    expectClose([variance(noise)], [0.4], { rtol: 1e-9 });
    expect(Math.abs(variance(data.y) - 1)).toBeLessThan(0.02);
  });

  test("leaves least squares an R² of 0.30", () => {
    expect(Math.abs(leastSquaresR2(data) - 0.3)).toBeLessThan(0.02);
  });

  test("has three disjoint causal sets of 10, an effect on each and all 100 products", () => {
    const { causalSets, additive, interactions } = data.truth;
    expect(causalSets.map((set) => set.length)).toEqual([10, 10, 10]);
    expect(new Set(causalSets.flatMap((set) => [...set])).size).toBe(30);
    expect(causalLabels(data.truth).reduce((s, x) => s + x, 0)).toBe(30);
    expect([...additive].map((b) => (b === 0 ? 0 : 1))).toEqual([...causalLabels(data.truth)]);
    expect(new Set(interactions.data).size).toBe(100);
  });

  test("keeps effects and scaling constants for more rows", () => {
    const more = simulateMoreRows(data.truth, 50_000, keyFromSeed(2));
    const { additive, interaction, noise } = parts(more, data.truth);
    expect(Math.abs(variance(additive) - 0.3)).toBeLessThan(0.01);
    expect(Math.abs(variance(interaction) - 0.3)).toBeLessThan(0.015);
    expect(Math.abs(variance(noise) - 0.4)).toBeLessThan(0.01);
    expect(more.X.data[0]).not.toBe(data.X.data[0]);
  });

  test("redraws the causal set with the key and repeats itself without", () => {
    const again = simulate({ key: keyFromSeed(1), rows: 50 });
    const same = simulate({ key: keyFromSeed(1), rows: 50 });
    const other = simulate({ key: keyFromSeed(2), rows: 50 });
    expect(again).toEqual(same);
    expect(other.truth.causalSets).not.toEqual(again.truth.causalSets);
  });

  test("labels are the sign of f with a tenth flipped", () => {
    const rows = 20_000;
    const regression = simulate({ key: keyFromSeed(3), rows });
    const { y } = simulate({ key: keyFromSeed(3), rows, link: "logistic" });
    let flipped = 0;
    for (let i = 0; i < rows; i++) {
      expect([0, 1]).toContain(y[i]);
      if (y[i] !== (regression.y[i] >= 0 ? 1 : 0)) flipped++;
    }
    expect(flipped).toBe(rows / 10);
  });

  test("refuses causal sets that do not fit", () => {
    expect(() => simulate({ key: keyFromSeed(1), rows: 10, variables: 29 })).toThrow(
      "simulate: needs three causal sets within 29 variables, got 3 × 10",
    );
  });
});

describe("correlated columns", () => {
  const correlations = (correlation: ColumnCorrelation) => {
    const n = 100_000;
    const X = correlatedNormals(n, 7, correlation, keyFromSeed(4));
    const out: number[] = [];
    for (let j = 0; j < 7; j++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += X.data[i * 7 + 1] * X.data[i * 7 + j];
      out.push(sum / n);
    }
    return out;
  };

  test("independent ones have none", () => {
    expectClose(correlations({ kind: "independent" }), [0, 1, 0, 0, 0, 0, 0], { atol: 0.015 });
  });

  test("AR(1) decays as ρ^|j−k|", () => {
    const expected = [0.5, 1, 0.5, 0.25, 0.125, 0.0625, 0.03125];
    expectClose(correlations({ kind: "autoregressive", rho: 0.5 }), expected, { atol: 0.015 });
  });

  test("blocks of 5 share ρ within and nothing between", () => {
    const expected = [0.8, 1, 0.8, 0.8, 0.8, 0, 0];
    expectClose(correlations({ kind: "blocks", size: 5, rho: 0.8 }), expected, { atol: 0.015 });
  });
});
