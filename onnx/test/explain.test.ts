import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { matrix, type RankingBasis, rankAgain, ranked } from "@ratewise/core";
import { describe, expect, test } from "vitest";
import { activations } from "../src/activations.ts";
import { explainNetwork } from "../src/explain.ts";
import { openNetwork } from "../src/network.ts";
import { networkSaliency } from "../src/saliency.ts";
import { rateByHand } from "./support/by-hand.ts";
import { largestDifference, normalNumbers } from "./support/numbers.ts";
import { type NodeText, type Weights, writeOnnx } from "./support/write-onnx.ts";

const n = 80;
const p = 6;
const X = matrix(n, p, Float64Array.from(normalNumbers(n * p, 21), Math.fround));
const w = (seed: number, ...dims: number[]): Weights => ({
  dims,
  data: normalNumbers(
    dims.reduce((product, d) => product * d, 1),
    seed,
    0.7,
  ),
});
const nodes: readonly NodeText[] = [
  { op: "Gemm", inputs: ["x", "w1", "b1"], outputs: ["z"] },
  { op: "Relu", inputs: ["z"], outputs: ["h"] },
];
const inputs = [{ name: "x", shape: ["n", p] }];
const open = (end: readonly NodeText[], outputs: number, more: readonly NodeText[] = nodes) =>
  openNetwork(
    writeOnnx({
      inputs,
      nodes: [...more, ...end],
      weights: { w1: w(22, p, 8), b1: w(23, 8), w2: w(24, 8, outputs), b2: w(25, outputs) },
    }),
  );
const linear = (to: string): NodeText => ({ op: "Gemm", inputs: ["h", "w2", "b2"], outputs: [to] });
const numbers = () => open([linear("y")], 1);
const noise = normalNumbers(n, 26, 0.5);

describe("a network of numbers", () => {
  const given = { priorPrecision: 1.5, noiseVariance: 0.3 };

  test.each(["fixed", "integrated"] as const)(
    "has the RATE of the definitions by hand, bias %s",
    async (bias) => {
      const network = await numbers();
      const { hidden, functions } = await activations(network, X);
      const values = functions.data.map((f, i) => f + noise[i]);
      const document = await explainNetwork(network, X, {
        ...given,
        bias,
        target: { kind: "number", name: "score", values },
      });
      const own = network.detected.lastLayer!.bias[0];
      const byHand = rateByHand(X, hidden, values, {
        ...given,
        ...(bias === "fixed" && { bias: own }),
      });
      const found = document.variables.map(({ rate }) => rate!);
      expect(largestDifference(found, byHand)).toBeLessThan(1e-9);
      expect(document).toMatchObject({
        kind: "explain",
        task: "regression",
        target: "score",
        model: {
          kind: "onnx",
          layers: [8],
          refit: { ...given, around: "mode", priorFrom: "given", bias },
        },
      });
      expect(document.model.score!.score).toBeGreaterThan(0.5);
    },
  );

  test("finds λ and τ² by the evidence, and without a response needs τ²", async () => {
    const network = await numbers();
    const { functions } = await activations(network, X);
    const target = functions.data.map((f, i) => f + noise[i]);
    const { model } = await explainNetwork(network, X, { target });
    expect(model.refit.priorFrom).toBe("evidence");
    // Noise of standard deviation 0.5 was added: within three standard errors τ²√(2/n).
    expect(Math.abs(model.refit.noiseVariance! - 0.25)).toBeLessThan(3 * 0.25 * Math.sqrt(2 / n));
    await expect(explainNetwork(network, X, { where: "net.onnx" })).rejects.toThrow(
      /^net\.onnx: .*target or noiseVariance/,
    );
    const without = await explainNetwork(network, X, { noiseVariance: 0.25 });
    expect(without).toMatchObject({
      target: null,
      model: { score: null, refit: { around: "network" } },
    });
  });

  test("a response that the network does not predict is said", async () => {
    const network = await numbers();
    const target = normalNumbers(n, 99);
    const { diagnostics } = await explainNetwork(network, X, { target });
    expect(diagnostics[0].code).toBe("model-predicts-poorly");
  });

  test("ranks columns and groups by derivatives too, and by gradients alone where those are too many", async () => {
    const network = await numbers();
    const groups = [{ name: "pair", members: [1, 4] }];
    const full = await explainNetwork(network, X, { noiseVariance: 0.25, groups });
    expect(full.options.directForm).toBe("full");
    expect(full.groups).toMatchObject([{ name: "pair", size: 2 }]);
    const cheap = await explainNetwork(network, X, { noiseVariance: 0.25, groups, mostWork: 1 });
    expect(cheap.options.directForm).toBe("mean-squared");
    const G = await networkSaliency(network, X, { method: "gradient" });
    const scores = Array.from({ length: p }, (_, j) => {
      const column = Array.from({ length: n }, (_, i) => X.data[i * p + j]);
      const mean = column.reduce((sum, v) => sum + v / n, 0);
      const variance = column.reduce((sum, v) => sum + (v - mean) ** 2 / (n - 1), 0);
      return variance * column.reduce((sum, _, i) => sum + G.data[i * p + j] ** 2 / n, 0);
    });
    const total = scores.reduce((sum, v) => sum + v, 0);
    const shares = cheap.variables.map(({ direct }) => direct!.rate);
    expect(
      largestDifference(
        shares,
        scores.map((v) => v / total),
      ),
    ).toBeLessThan(1e-12);
  });
});

test("what its ranking is made from gives the same ranking again", async () => {
  const network = await numbers();
  const bases: RankingBasis[] = [];
  const { variables } = await explainNetwork(network, X, {
    noiseVariance: 0.3,
    onRanking: (basis) => bases.push(basis),
  });
  expect(bases).toHaveLength(1);
  const again = rankAgain(bases[0]);
  expect(again.map(({ rate, rank }) => [rate, rank])).toEqual(
    variables.map(({ rate, rank }) => [rate, rank]),
  );
  const without = rankAgain(bases[0], { nullify: [variables[0].name] });
  expect(without[0].rate).toBeNull();
  expect(without[1].rate).not.toBe(variables[1].rate);
});

describe("a network of classes", () => {
  test("with a sigmoid stays at its own weights, with or without a response", async () => {
    const network = await open([linear("f"), { op: "Sigmoid", inputs: ["f"], outputs: ["y"] }], 1);
    const { functions } = await activations(network, X);
    const values = functions.data.map((f, i) => (f + noise[i] > 0 ? 1 : 0));
    const without = await explainNetwork(network, X);
    const document = await explainNetwork(network, X, {
      target: values,
      classes: ["no", "yes"],
    });
    expect(document).toMatchObject({ task: "classification", classes: null, contrasts: null });
    expect(document.variables).toEqual(without.variables);
    expect(document.model.score!.metric).toBe("accuracy");
    expect(document.model.score!.score).toBeGreaterThan(0.8);
    const refitted = await explainNetwork(network, X, {
      target: values,
      around: "mode",
    });
    expect(refitted.variables).not.toEqual(without.variables);
  });

  test("without a softmax has its outputs taken for logits, and says so", async () => {
    const bare = await explainNetwork(await open([linear("y")], 3), X);
    const explicit = await explainNetwork(
      await open([linear("f"), { op: "Softmax", inputs: ["f"], outputs: ["y"] }], 3),
      X,
      { classes: ["a", "b", "c"] },
    );
    expect(bare.diagnostics.map(({ code }) => code)).toContain("outputs-as-logits");
    expect(explicit.diagnostics.map(({ code }) => code)).not.toContain("outputs-as-logits");
    expect(bare.variables).toEqual(explicit.variables);
    expect(explicit.classes!.map((row) => row.class)).toEqual(["a", "b", "c"]);
    expect(explicit.contrasts!.map(({ between }) => between)).toEqual([
      ["a", "b"],
      ["a", "c"],
      ["b", "c"],
    ]);
    await expect(
      explainNetwork(await open([linear("y")], 3), X, { link: "identity" }),
    ).rejects.toThrow(/needs one output of numbers, got 3/);
  });
});

test("without derivatives of an operator RATE is the same, and direct is null", async () => {
  const end = [{ op: "Sin", inputs: ["z"], outputs: ["h"] }, linear("y")];
  const document = await explainNetwork(await open(end, 1, nodes.slice(0, 1)), X, {
    noiseVariance: 1,
  });
  expect(document.variables.every(({ direct, rate }) => direct === null && rate! >= 0)).toBe(true);
  expect(document.diagnostics.find(({ code }) => code === "no-derivatives")!.message).toMatch(
    /operator Sin/,
  );
});

test("a hidden tensor named by hand is fitted from the response", async () => {
  const bytes = writeOnnx({
    inputs,
    nodes: [
      ...nodes,
      { op: "Mul", inputs: ["h", "h"], outputs: ["q"] },
      { op: "ReduceSum", inputs: ["q"], outputs: ["y"] },
    ],
    weights: { w1: w(22, p, 8), b1: w(23, 8) },
  });
  await expect(openNetwork(bytes)).rejects.toThrow(/linear last layer .* got ReduceSum/);
  const network = await openNetwork(
    writeOnnx({
      inputs,
      nodes: [...nodes, { op: "Mul", inputs: ["h", "h"], outputs: ["y"] }],
      weights: { w1: w(22, p, 1), b1: w(23, 1) },
    }),
    { hidden: "z" },
  );
  const target = Float64Array.from({ length: n }, (_, i) => X.data[i * p] + noise[i]);
  const document = await explainNetwork(network, X, { target });
  expect(document.model.refit).toMatchObject({ around: "mode", bias: "integrated" });
  await expect(explainNetwork(network, X, { noiseVariance: 1 })).rejects.toThrow(
    /needs the network's own last layer/,
  );
});

test("what is asked to stop stops, and progress ends where it should", async () => {
  const network = await numbers();
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await expect(
    explainNetwork(network, X, { noiseVariance: 1, signal: stop.signal }),
  ).rejects.toThrow("enough");
  const events: { phase: string; done: number; total: number }[] = [];
  await explainNetwork(network, X, { noiseVariance: 1, onProgress: (event) => events.push(event) });
  for (const phase of ["hidden activations", "direct effects"])
    expect(events.findLast((event) => event.phase === phase)).toMatchObject({ done: n, total: n });
});

describe("whatever it is given", () => {
  const rows = Array.from({ length: n }, (_, i) => [...X.data.subarray(i * p, (i + 1) * p)]);
  const weights = { w1: w(22, p, 8), b1: w(23, 8), w2: w(24, 8, 1), b2: w(25, 1) };
  const sigmoid = [...nodes, linear("f"), { op: "Sigmoid", inputs: ["f"], outputs: ["y"] }];
  const bytes = writeOnnx({ inputs, nodes: sigmoid, weights });
  const observed = Array.from({ length: n }, (_, i) => (X.data[i * p] + noise[i] > 0 ? 1 : 0));

  test("a path, bytes and an open network are one answer, from a matrix or from rows", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ratewise-onnx-"));
    const path = join(folder, "net.onnx");
    writeFileSync(path, bytes);
    const network = await openNetwork(bytes);
    const expected = await explainNetwork(network, X, { target: observed });
    expect(await explainNetwork(bytes, rows, { target: observed })).toEqual(expected);
    expect(await explainNetwork(path, rows, { target: observed })).toEqual(expected);
    expect(ranked(expected)[0].direct!.rank).toBe(1);
    rmSync(folder, { recursive: true });
    await expect(explainNetwork(path, rows)).rejects.toThrow(`${path}: there is no such file`);
  });

  test("classes are numbers, names or yes and no", async () => {
    const numbers = await explainNetwork(bytes, X, { target: observed });
    const named = await explainNetwork(bytes, X, {
      target: observed.map((c) => ["bad", "good"][c]),
      classes: ["bad", "good"],
    });
    const flags = await explainNetwork(bytes, X, { target: observed.map((c) => c === 1) });
    const numbered = await explainNetwork(bytes, X, {
      target: observed,
      classes: ["bad", "good"],
    });
    for (const document of [named, flags, numbered])
      expect(document.model.score).toEqual(numbers.model.score);
    expect(flags.diagnostics[0]).toMatchObject({
      code: "classes-alphabetical",
      classes: ["false", "true"],
    });
    const turned = await explainNetwork(bytes, X, {
      target: observed.map((c) => `${c}`),
      classes: ["1", "0"],
    });
    expect(turned.model.score!.score).toBeCloseTo(1 - numbers.model.score!.score, 12);
  });

  test("a target of another length, or of words where the network gives a number, is refused", async () => {
    await expect(explainNetwork(bytes, X, { target: [1, 0] })).rejects.toThrow(
      `needs a target for each of ${n} rows, got 2`,
    );
    await expect(
      explainNetwork(await numbers(), X, { target: observed.map(String), data: "rows.csv" }),
    ).rejects.toThrow(/^rows\.csv: "y" is text, and the network gives one number/);
  });
});
