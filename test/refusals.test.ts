import { readFileSync } from "node:fs";
import * as core from "@ratewise/core";
import * as data from "@ratewise/core/data";
import * as effects from "@ratewise/core/effects";
import * as explaining from "@ratewise/core/explain";
import * as network from "@ratewise/core/network";
import * as posterior from "@ratewise/core/posterior";
import * as rating from "@ratewise/core/rate";
import * as select from "@ratewise/core/select";
import * as simulating from "@ratewise/core/simulate";
import * as stream from "@ratewise/core/stream";
import { readTable } from "@ratewise/files";
import { explainNetwork, networkSaliency } from "@ratewise/onnx";
import { describe, expect, test } from "vitest";

const manifest = JSON.parse(readFileSync(new URL("../core/package.json", import.meta.url), "utf8"));

type Call = (options: Record<string, unknown>) => unknown;

const key = core.keyFromSeed(1);
const X = core.matrix(4, 2, Float64Array.of(1, 2, 2, 1, 0, 3, 5, 1));
const table = core.table([
  { kind: "number", name: "a", values: Float64Array.of(1, 2, 3) },
  { kind: "number", name: "b", values: Float64Array.of(3, 1, 2) },
]);
const sizes = core.effectsFromFactor(
  Float64Array.of(1, 2),
  core.matrix(2, 2, Float64Array.of(1, 0, 0, 1)),
);
const architecture = { inputs: 2, link: "identity", layers: [] };
const dense = { kind: "dense", units: 2, activation: "relu" };
const fitted = (options: object) =>
  network.fit(X, Float64Array.of(1, 2, 3, 4), { key, architecture, ...options } as never);
const layered = (layer: object) => fitted({ architecture: { ...architecture, layers: [layer] } });
const trained = {
  architecture: { inputs: 2, link: "identity", layers: [] },
  parameters: new Float64Array(6),
} as never;

/** Every function that has options, by its name; the least it needs is given. */
const functions: Readonly<Record<string, Call>> = {
  explain: (options) => core.explain(table, { target: "none", ...options }),
  "explain, select": (options) =>
    core.explain(table, { target: "none", select: { fdr: 0.1, by: "knockoffs", ...options } }),
  compare: (options) => core.compare(table, { target: "none", ...options }),
  "compare, search": (options) =>
    core.compare(table, { target: "none", search: { candidates: 2, folds: 2, ...options } }),
  estimatePower: (options) => explaining.estimatePower(table, options),
  fit: fitted,
  "fit, changes": (changes) => fitted({ changes }),
  architecture: (options) => fitted({ architecture: { ...architecture, ...options } }),
  layer: (options) => layered({ ...dense, ...options }),
  "batch normalisation": (options) => layered({ kind: "batch-normalisation", ...options }),
  saliency: (options) => network.saliency([trained], X, { method: "gradient", ...options }),
  simulate: (options) =>
    core.simulate({ key, rows: 5, variables: 4, causalSetSize: 1, ...options }),
  "simulate, correlation": (options) =>
    core.simulate({ key, rows: 5, correlation: { kind: "independent", ...options } as never }),
  rate: (options) => core.rate(sizes, options),
  rateClasses: (options) => core.rateClasses([{ name: "a", effects: sizes }], options),
  rankAgain: (options) => core.rankAgain({ effects: [sizes], variables: [] }, options),
  rankStability: (options) => core.rankStability(X, options),
  ranked: (options) => core.ranked({ variables: [] }, options),
  effectsFromDraws: (options) => core.effectsFromDraws(X, options),
  effectsFromFactor: (options) => core.effectsFromFactor(Float64Array.of(1, 2, 3, 4), X, options),
  effectsFromCovariance: (options) =>
    core.effectsFromCovariance(Float64Array.of(1), core.matrix(1, 1), options),
  effectsFromFunctionDraws: (options) =>
    core.effectsFromFunctionDraws(X, core.matrix(3, 4), options),
  effectSizes: (options) => effects.effectSizes(X, X, {} as never, options),
  project: (options) => effects.project(X, X, options),
  refitLastLayer: (options) => posterior.refitLastLayer(X, null, { link: "identity", ...options }),
  selectByKnockoffs: (options) =>
    select.selectByKnockoffs(X, new Float64Array(1), {
      key,
      fdr: 0.1,
      score: () => X.data,
      ...options,
    }),
  planStream: (options) => stream.planStream({} as never, { width: 0, ...options }),
  readTable: (options) => readTable("no such file.csv", options),
  selectByPermutation: (options) =>
    select.selectByPermutation(X, new Float64Array(1), { key, score: () => X.data, ...options }),
  networkSaliency: (options) => networkSaliency({} as never, X, { method: "gradient", ...options }),
  explainNetwork: (options) => explainNetwork("no such file.onnx", [[1, 2]], options),
};

/** Options with a closed list: the function, the option, the list, and the option's name in the error where it has another. */
const closed: readonly (readonly [string, string, readonly string[]])[] = [
  ["explain", "task", data.taskNames],
  ["explain", "missing", explaining.missingPolicies],
  ["explain", "model", explaining.modelKinds],
  ["explain", "recipe", network.recipeNames],
  ["explain", "posterior", explaining.posteriorNames],
  ["explain", "targetScale", network.targetScales],
  ["explain", "kernel", core.kernelKinds],
  ["explain, select", "by", explaining.selectionMethods],
  ["explain, select", "copies", select.copiesKinds],
  ["explain, select", "combination", select.combinationNames],
  ["compare", "task", data.taskNames],
  ["compare", "missing", explaining.missingPolicies],
  ["compare", "recipe", network.recipeNames],
  ["compare", "targetScale", network.targetScales],
  ["estimatePower", "task", data.taskNames],
  ["estimatePower", "recipe", network.recipeNames],
  ["estimatePower", "posterior", explaining.posteriorNames],
  ["fit", "recipe", network.recipeNames],
  ["fit", "targetScale", network.targetScales],
  ["fit, changes", "monitor", ["validation", "training"]],
  ["fit, changes", "keep", ["last", "best"]],
  ["fit, changes", "initial", ["he", "glorot"]],
  ["architecture", "link", network.linkNames],
  ["layer", "activation", network.activationNames],
  ["batch normalisation", "activation", network.activationNames],
  ["saliency", "method", network.saliencyMethods],
  ["saliency", "of", network.saliencyTargets],
  ["saliency", "baseline", network.saliencyBaselines],
  ["saliency", "precision", stream.precisions],
  ["simulate", "link", simulating.simulatedLinks],
  ["rate", "variant", core.variants],
  ["rateClasses", "variant", core.variants],
  ["rateClasses", "coupling", rating.couplings],
  ["rankAgain", "variant", core.variants],
  ["ranked", "by", explaining.rankings],
  ["refitLastLayer", "link", network.linkNames],
  ["refitLastLayer", "around", posterior.posteriorPlaces],
  ["refitLastLayer", "bias", posterior.biasTreatments],
  ["selectByKnockoffs", "combination", select.combinationNames],
  ["selectByPermutation", "adjustment", select.adjustments],
  ["networkSaliency", "method", network.saliencyMethods],
  ["networkSaliency", "of", network.saliencyTargets],
  ["networkSaliency", "baseline", network.saliencyBaselines],
  ["networkSaliency", "link", network.linkNames],
  ["planStream", "by", stream.directions],
  ["planStream", "precision", stream.precisions],
  ["explainNetwork", "link", network.linkNames],
  ["explainNetwork", "around", posterior.posteriorPlaces],
  ["explainNetwork", "bias", posterior.biasTreatments],
];

/** Lists whose names are no plain value of an option, with what refuses them. */
const elsewhere: readonly (readonly [string, string, readonly string[], Call])[] = [
  ["compare", "methods", core.compareMethods, ({ name }) => functions.compare({ methods: [name] })],
  [
    "simulate",
    "correlation",
    simulating.correlationKinds,
    ({ name }) => functions["simulate, correlation"]({ kind: name }),
  ],
  [
    "selectByKnockoffs",
    "copies",
    select.copiesKinds,
    ({ name }) => functions.selectByKnockoffs({ copies: { kind: name } }),
  ],
];

/** What a call throws or rejects with, if anything. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A word with two letters exchanged, one left out, another case, and one that is near nothing. */
function misspelt(word: string, list: readonly string[]): string[] {
  const swapped = word[0] + word[2] + word[1] + word.slice(3);
  const all = [swapped, word.slice(0, -1), word.toUpperCase(), `${word}x`, "zzzzzzzzzzzzzzzz"];
  return all.filter((text) => !list.includes(text));
}

describe.each([
  ...closed.map(
    ([name, option, list]) =>
      [
        name,
        option,
        list,
        ({ name: value }: Record<string, unknown>) => functions[name]({ [option]: value }),
      ] as const,
  ),
  ...elsewhere,
] as readonly (readonly [string, string, readonly string[], Call])[])(
  "%s, its option %s",
  (_, option, list, call) => {
    test("has no value beside its list, and a near name is suggested", async () => {
      for (const name of list) {
        const words = misspelt(name, list);
        expect(words.length).toBeGreaterThan(2);
        for (const word of words) {
          const error = (await thrownBy(() => call({ name: word }))) as core.RatewiseError;
          expect(error, `${option}: ${word}`).toBeInstanceOf(core.RatewiseError);
          expect(error).toMatchObject({ code: "unknown-name", option });
          expect(error.message).toContain(`got "${word}"`);
          for (const known of list) expect(error.message).toContain(known);
          if (word === `${name}x`) expect(error.message).toContain("did you mean");
          if (word.startsWith("zzz")) expect(error.message).not.toContain("did you mean");
        }
      }
      for (const value of [7, null, {}, []]) {
        const error = await thrownBy(() => call({ name: value }));
        expect(error, `${option}: ${value}`).toMatchObject({ option });
      }
    });

    test("has every value of its list", async () => {
      for (const name of list) {
        // Another error may name the option too: what it asks for may not suit what was given beside it.
        const { code, option: named } = ((await thrownBy(() => call({ name }))) ??
          {}) as Partial<core.RatewiseError>;
        expect([code, named], `${option}: ${name}`).not.toEqual(["unknown-name", option]);
      }
    });
  },
);

test.each(Object.keys(functions))("%s has no options beside its own", async (name) => {
  for (const option of ["hiden", "seeed", "Variant", "x"]) {
    const error = await thrownBy(() => functions[name]({ [option]: [3] }));
    expect(error, option).toBeInstanceOf(core.RatewiseError);
    expect(error).toMatchObject({ code: "unknown-name", option });
    expect((error as Error).message).toContain(`got "${option}"`);
  }
});

test("a near option is suggested", async () => {
  await expect(core.explain(table, { target: "y", hiden: [3] } as never)).rejects.toThrow(
    'explain: needs options of target, task, missing, testFraction, splitBy, time, folds, test, weights, classWeights, exclude, keep, families, groups, model, subsample, seed, recipe, hidden, ensemble, posterior, targetScale, kernel, workers, cache, record, select, stability, top, signal, onProgress, got "hiden"; did you mean "hidden"?',
  );
  await expect(
    core.explain(table, { target: "y", posterior: "lapalce" as "laplace" }),
  ).rejects.toThrow(
    'explain: needs posterior to be "variational", "laplace" or "swag", got "lapalce"; did you mean "laplace"?',
  );
});

test("every closed list that core exports is walked here", async () => {
  const walked = new Set<unknown>([...closed, ...elsewhere].map(([, , list]) => list));
  const found: string[] = [];
  for (const path of Object.keys(manifest.exports)) {
    const names = await import(`@ratewise/core${path.slice(1)}`);
    for (const [name, value] of Object.entries(names)) {
      if (!(Array.isArray(value) && value.every((entry) => typeof entry === "string"))) continue;
      found.push(name);
      expect([name, walked.has(value)]).toEqual([name, true]);
    }
  }
  expect(new Set(found).size).toBeGreaterThanOrEqual(25);
});

test.each([
  [
    "explain",
    () => core.explain("x.csv" as never, { target: "y" }),
    'explain: needs a table, got "x.csv"; read one with readTable of @ratewise/files, or make one with table(columns)',
  ],
  [
    "explain",
    () => core.explain(Promise.resolve(table) as never, { target: "y" }),
    "explain: needs a table, got a promise, which has to be awaited first",
  ],
  [
    "explain",
    () => core.explain(table, undefined as never),
    "explain: needs an object of options, got undefined",
  ],
  [
    "explain",
    () => core.explain(table, {} as never),
    "explain: needs target to be the name of a column, got undefined",
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", groups: { g: ["b"] } as never }),
    "explain: needs groups to be a function from the variables' places to groups, such as (at) => [{ name, members: [at.get(column)] }], got an object",
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", hidden: 32 as never }),
    "explain: needs hidden to be a list of layers of at least 1 unit, such as [32, 16], got 32",
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", exclude: "b" as never }),
    'explain: needs exclude to be a list of names of columns, got "b"',
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", select: { fdr: 2, by: "knockoffs" } }),
    "explain: needs fdr to be a rate inside (0, 1), got 2",
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", splitBy: ["b"] as never }),
    "explain: needs splitBy to be the name of a column, got [b]",
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", classWeights: "balance" as never }),
    'explain: needs classWeights to be "balanced", got "balance"; did you mean "balanced"?',
  ],
  [
    "explain",
    () => core.explain(table, { target: "a", classWeights: 3 as never }),
    'explain: needs classWeights to be "balanced", or a number for each class by its name, such as { yes: 3 }, got 3',
  ],
  [
    "explain, test",
    () => core.explain(table, { target: "a", test: "new.csv" as never }),
    'explain, test: needs a table, got "new.csv"; read one with readTable of @ratewise/files',
  ],
  [
    "compare",
    () => core.compare([] as never, { target: "y" }),
    "compare: needs a table, got a list",
  ],
  [
    "effectsFromDraws",
    () => core.effectsFromDraws([[1, 2]] as never),
    "effectsFromDraws: needs the draws as a matrix, got a list; make one with matrix(rows, columns, numbers) or fromRows(lists)",
  ],
  [
    "effectsFromFactor",
    () => core.effectsFromFactor([1, 2] as never, X),
    "effectsFromFactor: needs the mean as a Float64Array, got a list; make one with Float64Array.from(numbers)",
  ],
  [
    "rate",
    () => core.rate([1, 2] as never),
    "rate: needs effect sizes, as effectsFromDraws, effectsFromFactor and effectsFromCovariance make them, got a list",
  ],
  [
    "rate",
    () => core.rate(sizes, { groups: { g: [0] } as never }),
    "rate: needs groups as a list, got an object; give { name, members: [0, 2] } for each group",
  ],
  [
    "explainNetwork",
    () => explainNetwork("net.onnx", readTableLater() as never),
    "explainNetwork: needs the rows as a matrix or as lists of numbers, got a promise, which has to be awaited first; give the network's columns in the order of training, one list of numbers per row",
  ],
  [
    "explainNetwork",
    () => explainNetwork("net.onnx", table as never),
    "explainNetwork: needs the rows as a matrix or as lists of numbers, got a table; give the network's columns",
  ],
  [
    "readTable",
    () => readTable(table as never),
    "readTable: needs the path of a file, or its bytes as a Uint8Array, got a table",
  ],
  [
    "readTable",
    () => readTable("x.csv", { names: "a" as never }),
    'readTable: needs names as a list of names, got "a"',
  ],
  [
    "ranked",
    () => core.ranked(undefined as never),
    "ranked: needs an answer of explain, explainNetwork or rate, got undefined",
  ],
  [
    "simulate",
    () => core.simulate(undefined as never),
    "simulate: needs an object of options, got undefined",
  ],
])("%s says what it was given in place of what it needs", async (name, call, message) => {
  const error = (await thrownBy(call)) as core.RatewiseError;
  expect(error).toBeInstanceOf(core.RatewiseError);
  expect(error.where).toBe(name);
  expect(error.message).toContain(message);
});

const readTableLater = async () => table;
