import { RatewiseError } from "../errors.ts";
import type { Activation } from "./activation.ts";
import type { Link } from "./architecture.ts";
import { patchSize, positionsOf } from "./image.ts";
import type { Layout, Stage } from "./layout.ts";
import type { TrainerSetup } from "./trainer.ts";

/** Makes room in kernel memory and says where: bytes in, address out. */
export type Allocate = (bytes: number) => number;

/** Where the host reads and writes while a program runs. */
export interface Program {
  readonly address: number;
  readonly theta: number;
  readonly first: number;
  readonly second: number;
  /** A double: Σ loss × rows of the last call. */
  readonly lossSum: number;
}

const ACTIVATIONS: Record<Activation, number> = {
  relu: 0,
  tanh: 1,
  gelu: 2,
  sigmoid: 3,
  identity: 4,
};
/** A skip is none of them: its weights are not trained by steps. */
const KINDS: Record<Exclude<Stage["kind"], "skip">, number> = {
  dense: 0,
  "masked-dense": 1,
  dropout: 2,
  flatten: 3,
  convolution: 4,
  "max-pool": 5,
  "average-pool": 6,
  "batch-normalisation": 7,
};
const LINKS: Record<Link, number> = { identity: 0, logistic: 1, softmax: 2 };

/** The fields of a program in their order; those that are not whole numbers hold a single. */
const PROGRAM = [
  ...["stageCount", "stages", "inputs", "hidden", "outputs", "link", "size"],
  ...["theta", "gradient", "first", "second", "x", "y", "batchSize", "batchX", "batchY"],
  ...["offsets", "batchOffsets"],
  ...["epsilon", "f", "sd", "variance", "varianceSlope", "slopeA", "slopeB"],
  ...["transposed", "transposed2", "mean", "logSd", "bias", "logNoise", "learnNoise"],
  ...["k0", "k1", "groupCount", "groupOffsets", "groupStarts", "groupEnds", "noiseStep"],
  ...["decay1", "decay2", "learningRate", "clipNorm", "priorVariance", "totalRows", "penalty"],
  ...["arrived", "phase", "lossSum"],
];
const STAGE = [
  ...["kind", "inputs", "units", "activation", "weights", "bias", "output", "before"],
  ...["rate", "connections", "from", "to"],
  ...["height", "width", "channels", "outHeight", "outWidth", "kernelHeight", "kernelWidth"],
  ...["strideY", "strideX", "top", "left", "patches", "patchBytes", "parts", "partBytes"],
  ...["mean", "variance"],
];
const SINGLES = new Set([
  ...["decay1", "decay2", "learningRate", "clipNorm", "priorVariance", "totalRows", "penalty"],
  "rate",
]);

/**
 * Lays out in kernel memory everything that training touches, and writes the program that the kernel
 * follows: the fields of `Program` and `Stage` in core/kernels/train-program.ts, in their order.
 */
export function writeProgram(
  { layout, X, y, offsets, weights, batchSize, groups, key, ...setup }: TrainerSetup,
  buffer: () => ArrayBufferLike,
  allocate: Allocate,
): Program {
  // Kernels work in whole vectors: three more, and zero, so that norms may run over them.
  const singles = (count: number) => {
    const at = allocate((count + 3) * 4);
    new Float32Array(buffer(), at, count + 3).fill(0);
    return at;
  };
  const words = (values: Uint32Array) => {
    const at = allocate(Math.max(1, values.length) * 4);
    new Uint32Array(buffer(), at, values.length).set(values);
    return at;
  };
  const { stages, inputs, hidden, outputs, size } = layout;
  const widest = stages.reduce((width, { units }) => Math.max(width, units), inputs);
  const stageTable = writeStages(layout, batchSize, singles, words, buffer, allocate);
  const transposed = transposedSizes(layout, batchSize);
  const address = allocate(PROGRAM.length * 4);
  const lossSum = allocate(8);
  const x = singles(X.length);
  const responses = singles(2 * y.length);
  const known = offsets ? singles(offsets.length) : 0;
  const [theta, gradient, first, second] = [0, 1, 2, 3].map(() => singles(size));
  writeFields(buffer(), address, PROGRAM, {
    stageCount: stages.length,
    stages: stageTable,
    inputs,
    hidden,
    outputs,
    link: LINKS[layout.link],
    size,
    theta,
    gradient,
    first,
    second,
    x,
    y: responses,
    batchSize,
    batchX: singles(batchSize * inputs),
    batchY: singles(2 * batchSize),
    offsets: known,
    batchOffsets: singles(batchSize * outputs),
    epsilon: singles(batchSize * outputs),
    f: singles(batchSize * outputs),
    sd: singles(batchSize * outputs),
    variance: singles(outputs * hidden),
    varianceSlope: singles(outputs * hidden),
    slopeA: singles(batchSize * widest),
    slopeB: singles(batchSize * widest),
    transposed: singles(transposed[0]),
    transposed2: singles(transposed[1]),
    mean: layout.mean,
    logSd: layout.logSd,
    bias: layout.bias,
    logNoise: layout.logNoise,
    learnNoise: setup.learnNoise ? 1 : 0,
    k0: key.k0,
    k1: key.k1,
    groupCount: groups.offsets.length - 1,
    groupOffsets: words(groups.offsets),
    groupStarts: words(groups.starts),
    groupEnds: words(groups.ends),
    noiseStep: 0,
    decay1: 1,
    decay2: 1,
    learningRate: setup.learningRate,
    clipNorm: setup.clipNorm,
    priorVariance: setup.priorVariance,
    totalRows: setup.totalRows,
    penalty: 0,
    arrived: 0,
    phase: 0,
    lossSum,
  });
  new Float32Array(buffer(), x, X.length).set(X);
  const weighed = new Float32Array(buffer(), responses, 2 * y.length);
  for (let i = 0; i < y.length; i++) {
    weighed[2 * i] = y[i];
    weighed[2 * i + 1] = weights?.[i] ?? 1;
  }
  if (offsets) new Float32Array(buffer(), known, offsets.length).set(offsets);
  return { address, theta, first, second, lossSum };
}

/** Forgets Adam's steps and sets λ; the noise counter goes on. */
export function restartProgram(
  buffer: ArrayBufferLike,
  { address }: Program,
  { penalty, totalRows }: { readonly penalty: number; readonly totalRows: number },
): void {
  const singles = new Float32Array(buffer, address, PROGRAM.length);
  singles[PROGRAM.indexOf("decay1")] = 1;
  singles[PROGRAM.indexOf("decay2")] = 1;
  singles[PROGRAM.indexOf("penalty")] = penalty;
  singles[PROGRAM.indexOf("totalRows")] = totalRows;
}

function writeStages(
  { stages }: Layout,
  batchSize: number,
  singles: (count: number) => number,
  words: (values: Uint32Array) => number,
  buffer: () => ArrayBufferLike,
  allocate: Allocate,
): number {
  const bytes = STAGE.length * 4;
  const table = allocate(Math.max(1, stages.length) * bytes);
  stages.forEach((stage, at) => {
    const plain = "activation" in stage ? stage : null;
    const masked = stage.kind === "masked-dense" ? stage : null;
    const kept = "activation" in stage ? stage.activation === "gelu" : stage.kind !== "flatten";
    writeFields(buffer(), table + at * bytes, STAGE, {
      ...imageFields(stage, singles),
      kind: kindOf(stage),
      inputs: stage.inputs,
      units: stage.units,
      activation: plain ? ACTIVATIONS[plain.activation] : 0,
      weights: plain?.weights ?? 0,
      bias: plain?.bias ?? 0,
      output: singles(stage.kind === "flatten" ? 0 : batchSize * stage.units),
      before: singles(kept ? batchSize * stage.units : 0),
      rate: stage.kind === "dropout" ? stage.rate : 0,
      connections: masked?.from.length ?? 0,
      from: masked ? words(masked.from) : 0,
      to: masked ? words(masked.to) : 0,
    });
  });
  return table;
}

function kindOf({ kind }: Stage): number {
  if (kind !== "skip") return KINDS[kind];
  throw new RatewiseError("domain", {
    in: "train",
    what: "needs layers that steps train, got a linear part",
    advice: "ask for it with the recipe's `linear`",
  });
}

/** Geometry and memory of the stages of images, 0 for the others. */
function imageFields(
  stage: Stage,
  singles: (count: number) => number,
): Readonly<Record<string, number>> {
  const none = Object.fromEntries(STAGE.map((field) => [field, 0]));
  if (stage.kind === "batch-normalisation") {
    const { channels, mean, variance } = stage;
    return { ...none, channels, mean, variance, parts: singles(8 * channels) };
  }
  if (!("window" in stage)) return none;
  const { window } = stage;
  if (stage.kind !== "convolution") return { ...none, ...window };
  // Whole cache lines, the last with room for the vectors that patches are written in.
  const room = (count: number) => Math.ceil((count + 4) / 16) * 64;
  const patchBytes = room(positionsOf(window) * patchSize(window));
  const partBytes = room((patchSize(window) + 1) * stage.filters);
  const patches = singles((CHUNKS * patchBytes) / 4);
  return {
    ...none,
    ...window,
    patches,
    patchBytes,
    parts: singles((CHUNKS * partBytes) / 4),
    partBytes,
  };
}

/** Stretches that a convolution cuts a batch into; the kernel has the same. */
const CHUNKS = 8;

/** Room for a transposed weight matrix, or for both sides of a masked layer's batch. */
function transposedSizes({ stages }: Layout, batchSize: number): [number, number] {
  const padded = Math.ceil(batchSize / 4) * 4;
  let first = 0;
  let second = 0;
  for (const stage of stages) {
    if (stage.kind === "dense" && stage !== stages[0])
      first = Math.max(first, stage.inputs * stage.units);
    if (stage.kind === "masked-dense") {
      first = Math.max(first, stage.inputs * padded);
      second = Math.max(second, stage.units * padded);
    }
  }
  return [first, second];
}

function writeFields(
  buffer: ArrayBufferLike,
  address: number,
  fields: readonly string[],
  values: Readonly<Record<string, number>>,
): void {
  const words = new Uint32Array(buffer, address, fields.length);
  const singles = new Float32Array(buffer, address, fields.length);
  fields.forEach((field, at) => {
    if (SINGLES.has(field)) singles[at] = values[field];
    else words[at] = values[field];
  });
}
