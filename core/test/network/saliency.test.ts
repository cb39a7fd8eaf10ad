import { describe, expect, test } from "vitest";
import { type Matrix, matrix } from "../../src/linalg/index.ts";
import {
  type Architecture,
  type NetworkParameters,
  type SaliencyOptions,
  saliency,
} from "../../src/network/index.ts";
import { initialParameters } from "../../src/network/initialise.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { meanOutput } from "../../src/network/output.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";
import { stageForward } from "./naive/stages.ts";

const P = 12;
const image = { height: 3, width: 4, channels: 1 };
const layers: Architecture["layers"] = [
  { kind: "convolution", filters: 3, kernel: 2, padding: [0, 1, 1, 0], activation: "tanh" },
  { kind: "batch-normalisation", activation: "gelu" },
  { kind: "max-pool", kernel: 2, stride: 1 },
  { kind: "average-pool", kernel: [1, 2] },
  { kind: "flatten" },
  { kind: "dropout", rate: 0.5 },
  { kind: "dense", units: 4, activation: "sigmoid" },
];

function networkOf(changes: Partial<Architecture> = {}, seed = 1): NetworkParameters {
  const architecture: Architecture = { inputs: P, image, layers, link: "identity", ...changes };
  const next = normals(keyFromSeed(seed + 50));
  const parameters = initialParameters(architecture, keyFromSeed(seed)).map(
    (value) => value + 0.2 * Math.abs(next()),
  );
  return { architecture, parameters };
}

const X = matrix(5, P, Float64Array.from({ length: 5 * P }, normals(keyFromSeed(3))));

/** f of one row by the plain loops. */
function output({ architecture, parameters }: NetworkParameters, x: Float64Array): Float64Array {
  const layout = layoutOf(architecture);
  const theta = Float64Array.from(parameters);
  let values: Float64Array = x;
  layout.stages.forEach((stage, at) => {
    values = stageForward(stage, at, theta, values, 1, null).output;
  });
  return meanOutput(layout, theta, values, 1);
}

const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));
const softmax = (f: Float64Array, c: number) =>
  1 / f.reduce((sum, other) => sum + Math.exp(other - f[c]), 0);

/** Central differences of what `of` makes of f, rows×p. */
function differences(
  network: NetworkParameters,
  of: (f: Float64Array, row: number) => number,
): Float64Array {
  const s = 1e-5;
  return Float64Array.from({ length: X.data.length }, (_, e) => {
    const row = Math.floor(e / P);
    const at = (move: number) => {
      const x = X.data.slice(row * P, (row + 1) * P);
      x[e % P] += move;
      return of(output(network, x), row);
    };
    return (at(s) - at(-s)) / (2 * s);
  });
}

const own = async (network: NetworkParameters, options: SaliencyOptions) =>
  (await saliency([network], X, options)).data;
const near = { rtol: 1e-6, atol: 1e-9 };

describe("the gradient agrees with central differences", () => {
  test("of f, through every kind of layer, in both precisions", async () => {
    const network = networkOf();
    const expected = differences(network, (f) => f[0]);
    expect(expected.some((d) => Math.abs(d) > 0.01)).toBe(true);
    expectClose(await own(network, { method: "gradient" }), expected, near);
    const single = await own(network, { method: "gradient", precision: "single" });
    expectClose(single, expected, { rtol: 1e-4, atol: 1e-5 });
  });

  test("of a logistic's logit and probability, either class", async () => {
    const network = networkOf({ link: "logistic" });
    const method = "gradient";
    const probability = differences(network, (f) => sigmoid(f[0]));
    expectClose(
      await own(network, { method }),
      differences(network, (f) => f[0]),
      near,
    );
    expectClose(await own(network, { method, of: "probability" }), probability, near);
    expectClose(
      await own(network, { method, of: "probability", class: 0 }),
      probability.map((d) => -d),
      near,
    );
    expectClose(
      await own(network, { method, class: 0 }),
      differences(network, (f) => -f[0]),
      near,
    );
  });

  test("of a softmax: the class asked for, or the likeliest of each row", async () => {
    const network = networkOf({ link: "softmax", classes: 3 });
    const method = "gradient";
    const best = Array.from({ length: 5 }, (_, i) => {
      const f = output(network, X.data.slice(i * P, (i + 1) * P));
      return f.indexOf(Math.max(...f));
    });
    expectClose(
      await own(network, { method, class: 2 }),
      differences(network, (f) => f[2]),
      near,
    );
    expectClose(
      await own(network, { method, class: 2, of: "probability" }),
      differences(network, (f) => softmax(f, 2)),
      near,
    );
    expectClose(
      await own(network, { method, of: "probability" }),
      differences(network, (f, row) => softmax(f, best[row])),
      near,
    );
  });
});

describe("integrated gradients", () => {
  test("add up to the difference from the baseline", async () => {
    const network = networkOf({ link: "logistic" });
    const mean = Float64Array.from(
      { length: P },
      (_, j) => [0, 1, 2, 3, 4].reduce((sum, i) => sum + X.data[i * P + j], 0) / 5,
    );
    for (const baseline of ["zero", "mean"] as const) {
      const start = baseline === "zero" ? new Float64Array(P) : mean;
      const values = await own(network, {
        method: "integrated-gradients",
        of: "probability",
        baseline,
        steps: 2000,
      });
      const sums = [0, 1, 2, 3, 4].map((i) =>
        values.slice(i * P, (i + 1) * P).reduce((sum, x) => sum + x),
      );
      const expected = [0, 1, 2, 3, 4].map(
        (i) =>
          sigmoid(output(network, X.data.slice(i * P, (i + 1) * P))[0]) -
          sigmoid(output(network, start)[0]),
      );
      // The kinks of the maxima make midpoints exact to 1/steps only.
      expectClose(sums, expected, { rtol: 0, atol: 1e-4 });
    }
  });

  test("are (x − x⁰)·w where f is linear, however few the steps", async () => {
    const architecture: Architecture = { inputs: 2, layers: [], link: "identity" };
    const parameters = Float64Array.of(3, -2, 0, 0, 5, 0);
    const rows = matrix(1, 2, Float64Array.of(10, 20));
    const { data } = await saliency([{ architecture, parameters }], rows, {
      method: "integrated-gradients",
      steps: 1,
      baseline: Float64Array.of(1, 2),
    });
    expectClose(data, [27, -36]);
  });
});

test("gradient × input is the gradient times the input", async () => {
  const network = networkOf();
  const gradient = await own(network, { method: "gradient" });
  expectClose(
    await own(network, { method: "gradient-x-input" }),
    gradient.map((d, e) => d * X.data[e]),
  );
});

describe("ε-LRP", () => {
  test("by hand: parts of the sums, the bias keeps its own", async () => {
    // z = (x₁ + 2x₂ + 1, x₁ − x₂), h = relu z, f = 2h₁ + 3h₂ + 4.
    const architecture: Architecture = {
      inputs: 2,
      layers: [{ kind: "dense", units: 2, activation: "relu" }],
      link: "identity",
    };
    const parameters = Float64Array.of(1, 1, 2, -1, 1, 0, 2, 3, 0, 0, 4, 0);
    const rows = matrix(1, 2, Float64Array.of(3, 1));
    // z = (6, 2), f = 22; with ε = 1, R_h = 22/23·(12, 6), and z + ε = (7, 3).
    const { data } = await saliency([{ architecture, parameters }], rows, {
      method: "lrp",
      epsilon: 1,
    });
    const [first, second] = [(22 / 23) * 12, (22 / 23) * 6];
    expectClose(data, [(3 / 7) * first + second, (2 / 7) * first - second / 3]);
  });

  test("equals gradient × input on ReLU networks without biases as ε goes to 0", async () => {
    const relu: Architecture["layers"] = [
      { kind: "convolution", filters: 3, kernel: 2, padding: 1, activation: "relu" },
      { kind: "max-pool", kernel: 2, stride: 1 },
      { kind: "average-pool", kernel: [1, 2] },
      { kind: "flatten" },
      { kind: "dense", units: 6, activation: "relu" },
      { kind: "dense", units: 4, activation: "relu" },
    ];
    const architecture: Architecture = { inputs: P, image, layers: relu, link: "identity" };
    const network = { architecture, parameters: initialParameters(architecture, keyFromSeed(2)) };
    const expected = await own(network, { method: "gradient-x-input" });
    expect(expected.some((d) => Math.abs(d) > 0.05)).toBe(true);
    const distance = async (epsilon: number) => {
      const relevance = await own(network, { method: "lrp", epsilon });
      return Math.max(...relevance.map((r, e) => Math.abs(r - expected[e])));
    };
    expect(await distance(1e-2)).toBeGreaterThan(1e-4);
    expect(await distance(1e-10)).toBeLessThan(1e-8);
    expect(await distance(0)).toBeLessThan(1e-13);
  });

  test("of a probability hands down the probability in place of the logit", async () => {
    const network = networkOf({ link: "logistic" });
    const logit = await own(network, { method: "lrp" });
    const probability = await own(network, { method: "lrp", of: "probability" });
    const ratio = (i: number) => {
      const [f] = output(network, X.data.slice(i * P, (i + 1) * P));
      return sigmoid(f) / f;
    };
    expectClose(
      probability,
      logit.map((r, e) => r * ratio(Math.floor(e / P))),
      { rtol: 1e-10 },
    );
  });
});

test("an ensemble's saliency is the average of its members'", async () => {
  const members = [networkOf({ link: "logistic" }), networkOf({ link: "logistic" }, 2)];
  const options = { method: "gradient", of: "probability" } as const;
  const each = await Promise.all(members.map((member) => own(member, options)));
  const { data } = await saliency(members, X, options);
  expectClose(
    data,
    each[0].map((d, e) => (d + each[1][e]) / 2),
    { rtol: 1e-12 },
  );
});

describe("saliency refuses", () => {
  const refuse = (changes: Partial<SaliencyOptions>, rows: Matrix = X, network = networkOf()) =>
    expect(saliency([network], rows, { method: "gradient", ...changes })).rejects;

  test("what there is not", async () => {
    await refuse({ of: "probability" }).toThrow(
      "needs classes for a probability, got a regression",
    );
    await refuse({ class: 1 }).toThrow("needs no class of a regression, got 1");
    await refuse({ steps: 0 }).toThrow("needs at least one step, got 0");
    await refuse({ epsilon: -1 }).toThrow("needs an ε of at least 0, got -1");
    await refuse({ baseline: new Float64Array(3) }).toThrow("a baseline of 12 numbers, got 3");
    await refuse({}, matrix(2, 3)).toThrow("needs 12 columns, as in the fit, got 3");
    await refuse({}, matrix(1, P, new Float64Array(P).fill(Number.NaN))).toThrow(
      "needs finite inputs, got NaN in row 0, column 0",
    );
    const { architecture } = networkOf();
    await refuse({}, X, { architecture, parameters: new Float64Array(3) }).toThrow("parameters");
    await expect(saliency([], X, { method: "gradient" })).rejects.toThrow("at least one network");
  });

  test("to go on when it is told to stop", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await refuse({ signal }).toThrow("enough");
  });
});

test("progress ends at its total", async () => {
  const events: number[] = [];
  let total = 0;
  await saliency([networkOf()], X, {
    method: "integrated-gradients",
    steps: 7,
    onProgress: (event) => {
      events.push(event.done);
      total = event.total;
    },
  });
  expect([events.at(-1), total]).toEqual([7, 7]);
});
