import { expect, test } from "vitest";
import { projectCovariance, projectedEffects } from "../../src/effects/index.ts";
import { expm1 } from "../../src/elementary/index.ts";
import { cholesky, matrix, multiply, transpose } from "../../src/linalg/index.ts";
import { bayesianLinearRegression } from "../../src/posterior/index.ts";
import { keyFromSeed } from "../../src/random/index.ts";
import { rate } from "../../src/rate/index.ts";
import { selectByQuadraticNull } from "../../src/select/index.ts";
import { streamNull } from "../../src/stream/index.ts";
import { expectClose } from "../support/close.ts";
import { numbers } from "./tables.ts";

const [n, p, l] = [80, 1300, 4];
const X = numbers(1, "X", n, p);
const H = numbers(2, "H", n, l);
const y = numbers(3, "y", n, 1).data.map((value, i) => value + 2 * H.data[i * l] + X.data[i * p]);
const groups = [
  { name: "one", members: [0] },
  { name: "few", members: [0, 1, 2] },
  { name: "many", members: Array.from({ length: 40 }, (_, j) => 30 * j) },
];
const fitted = bayesianLinearRegression(H, y);
const { weights, noiseVariance } = fitted;
const effects = projectedEffects(projectCovariance(X, H), weights, { noiseVariance });
const { variables, groups: scored } = rate(effects, { groups });
const input = {
  ...{ factor: effects.factor, noise: effects.noise!, sd: variables.sd },
  ...{
    mutualInformation: variables.mutualInformation!,
    hidden: H,
    weights,
    responses: [y],
    groups,
  },
};
const options = { key: keyFromSeed(5), permutations: 199 };

test("the observed scores are the shares of RATE and groupRATE", async () => {
  const { variables: got, groups: gotGroups } = await streamNull(input, {
    ...options,
    permutations: 1,
  });
  expectClose(got.observed, variables.rate, { rtol: 1e-8, atol: 1e-14 });
  const all = variables.kld.reduce((sum, kld) => sum + kld, 0);
  expectClose(
    gotGroups!.observed,
    scored!.kld.map((kld) => kld / all),
    { rtol: 1e-7 },
  );
});

test("p-values are those of all variables in one matrix product", async () => {
  const centred = matrix(n, l, H.data.slice());
  for (let k = 0; k < l; k++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += H.data[i * l + k] / n;
    for (let i = 0; i < n; i++) centred.data[i * l + k] -= mean;
  }
  const V = weights.covariance;
  const project = multiply(transpose(cholesky(V)), transpose(centred));
  const rows = matrix(p, l);
  for (let j = 0; j < p; j++) {
    const scale = Math.sqrt(0.5 * expm1(2 * variables.mutualInformation![j])) / variables.sd[j];
    for (let k = 0; k < l; k++) rows.data[j * l + k] = scale * effects.factor.data[j * l + k];
  }
  const unit = Uint32Array.from({ length: p }, (_, j) => j);
  const whole = Array.from(unit);
  const expected = await selectByQuadraticNull(
    { project, weights: rows, unit, units: p, whole },
    [y],
    options,
  );
  const got = (await streamNull(input, options)).variables;
  expectClose(got.pValues, expected.pValues, { rtol: 0 });
  expectClose(got.qValues, expected.qValues, { rtol: 1e-12 });
  expect(got.permutations).toBe(199);
  expect(Math.min(...got.pValues)).toBeGreaterThan(0);
});

test("a group of one has the p-value of its member, and strata are stayed within", async () => {
  const { variables: got, groups: gotGroups } = await streamNull(input, options);
  expect(gotGroups!.pValues[0]).toBe(got.pValues[0]);
  // Twins of one response each: no order within pairs changes anything.
  const strata = Array.from({ length: n }, (_, i) => i >> 1);
  const twins = y.map((_, i) => y[i >> 1]);
  const fixed = await streamNull(
    { ...input, responses: [twins] },
    { ...options, strata, permutations: 9 },
  );
  expect(fixed.variables.pValues.every((value) => value === 1)).toBe(true);
});

test("indicators of classes are permuted together, and their order does not matter", async () => {
  const labels = y.map((value) => (value > 0 ? 1 : 0));
  const other = labels.map((value) => 1 - value);
  const one = await streamNull({ ...input, responses: [labels] }, options);
  const two = await streamNull({ ...input, responses: [other, labels] }, options);
  expectClose(two.variables.observed, one.variables.observed, { rtol: 1e-9, atol: 1e-15 });
});

test("progress ends at the whole; responses of another length are refused", async () => {
  const events: number[][] = [];
  await streamNull(input, {
    ...options,
    onProgress: ({ done, total }) => void events.push([done, total]),
  });
  expect(events.at(-1)).toEqual([p + 3, p + 3]);
  await expect(streamNull({ ...input, responses: [new Float64Array(3)] }, options)).rejects.toThrow(
    "80 responses, one per row, got 3",
  );
});
