import {
  type Diagnostic,
  explainHidden,
  type Matrix,
  matrix,
  type Progress,
  type RankingBasis,
  RatewiseError,
  type RunOptions,
  type TrainedNetworkDocument,
} from "@ratewise/core";
import type { VariableGroup } from "@ratewise/core/data";
import type { JacobianBlock } from "@ratewise/core/effects";
import { multiplyTranspose } from "@ratewise/core/linalg";
import { type RefitLastLayerOptions, refitLastLayer } from "@ratewise/core/posterior";
import type { Group } from "@ratewise/core/rate";
import { drive } from "@ratewise/core/run";
import { type Activations, activations, blocks } from "./activations.ts";
import { backward, evaluate, rowsTogether, targetOf } from "./derivative.ts";
import type { NetworkLink } from "./detect.ts";
import { rowShape } from "./input-layout.ts";
import { hiddenJacobians } from "./jacobian.ts";
import { naming, type OnnxNetwork } from "./network.ts";
import { compile, type Program } from "./program.ts";
import { tensor } from "./tensor.ts";

export interface ExplainNetworkOptions
  extends RunOptions,
    Pick<RefitLastLayerOptions, "around" | "priorPrecision" | "noiseVariance" | "bias"> {
  /** What errors call the network. */
  readonly where?: string;
  /** What turns f into the answer; default what the graph shows, and a softmax for several outputs without one. */
  readonly link?: NetworkLink;
  /** A name a column; default x1 … xp. */
  readonly names?: readonly string[];
  /** Names of the classes, in the order of the network's outputs; default 0, 1, … */
  readonly classes?: readonly string[];
  readonly response?: { readonly name: string; readonly values: Float64Array };
  readonly groups?: readonly VariableGroup[];
  readonly rowShape?: readonly number[];
  /** Multiplications that the derivatives of the hidden layer may take, default 2e11; beyond, `direct` is the mean squared gradient. */
  readonly mostWork?: number;
  readonly seed?: number;
  /** Is given what the marginal ranking is made from, for core's `rankAgain`. */
  readonly onRanking?: (basis: RankingBasis) => void;
  /** What to record as options. */
  readonly record?: Readonly<Record<string, unknown>>;
}

/**
 * Which inputs of a trained network matter: runs it to its last hidden layer, refits the last linear layer, and ranks. RATE needs
 * no derivatives; where an operator has none, `direct` is null and a diagnostic names the operator.
 */
export function explainNetwork(
  network: OnnxNetwork,
  X: Matrix,
  options: ExplainNetworkOptions = {},
): Promise<TrainedNetworkDocument> {
  return naming(options.where ?? "explainNetwork", () => explainRows(network, X, options));
}

async function explainRows(
  network: OnnxNetwork,
  X: Matrix,
  options: ExplainNetworkOptions,
): Promise<TrainedNetworkDocument> {
  const { names = columnNames(X.cols), response, groups = [], seed = 1 } = options;
  const made = await activations(network, X, options);
  const { hidden, functions } = made;
  const { link, notes } = chooseLink(network, functions.cols, options);
  const { lastLayer } = network.detected;
  checkLastLayer(network, made);
  const outputs = functions.cols;
  const classes = link === "identity" ? null : classNames(link, outputs, options.classes);
  const refit = refitLastLayer(hidden, response?.values ?? null, {
    link,
    ...(link === "softmax" && { classes: outputs }),
    ...(lastLayer && { network: lastLayer }),
    ...pickRefit(options),
  });
  const columns: Group[] = names.map((name, j) => ({ name, members: [j] }));
  const { derivatives, notes: ofDerivatives } = await derivativesFor(network, X, hidden.cols, {
    mostWork: options.mostWork ?? MOST_WORK,
    run: options,
    weights: refit.posterior.outputs.map(({ mean }) => mean),
    groups: [...columns, ...groups],
    shape: rowShape(network.layout, X.cols, options.rowShape),
  });
  const { signal, onProgress, onRanking } = options;
  return explainHidden({
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    ...(onRanking && { onRanking }),
    X,
    hidden,
    functions,
    refit,
    names,
    classes,
    response: response ?? null,
    groups,
    derivatives,
    seed,
    about: {
      producer: network.model.producer,
      opset: network.model.opset,
      link,
      hidden: network.detected.hidden,
      outputs,
      by: made.by,
    },
    record: options.record ?? {},
    diagnostics: [...made.diagnostics, ...notes, ...ofDerivatives],
  });
}

function columnNames(count: number): string[] {
  return Array.from({ length: count }, (_, j) => `x${j + 1}`);
}

function pickRefit({ around, priorPrecision, noiseVariance, bias }: ExplainNetworkOptions) {
  return {
    ...(around !== undefined && { around }),
    ...(priorPrecision !== undefined && { priorPrecision }),
    ...(noiseVariance !== undefined && { noiseVariance }),
    ...(bias !== undefined && { bias }),
  };
}

/** Exporters often leave the softmax out: several outputs without a link are taken for logits, and it is said. */
export function chooseLink(
  { detected }: OnnxNetwork,
  outputs: number,
  options: { readonly link?: NetworkLink },
): { link: NetworkLink; notes: Diagnostic[] } {
  const link = options.link ?? detected.link;
  if (link === "softmax" && outputs < 2)
    throw new RatewiseError("domain", `needs at least 2 outputs for a softmax, got ${outputs}`);
  if (link === "logistic" && outputs !== 1)
    throw new RatewiseError(
      "domain",
      `needs one output for a sigmoid, got ${outputs}: several labels at once are not explained together`,
    );
  if (link !== "identity" || outputs === 1) return { link, notes: [] };
  if (options.link === "identity")
    throw new RatewiseError("domain", `needs one output of numbers, got ${outputs}`);
  return {
    link: "softmax",
    notes: [
      {
        code: "outputs-as-logits",
        message: `The network has ${outputs} outputs and no link: they are taken for the logits of ${outputs} classes.`,
        outputs,
      },
    ],
  };
}

function classNames(
  link: NetworkLink,
  outputs: number,
  given: readonly string[] | undefined,
): readonly string[] {
  const count = link === "logistic" ? 2 : outputs;
  if (given && given.length !== count)
    throw new RatewiseError("shape", `needs names of ${count} classes, got ${given.length}`);
  return given ?? Array.from({ length: count }, (_, c) => `${c}`);
}

/** Half precision has 11 bits, and sums add up their errors. */
const CLOSE_ENOUGH = 0.02;

/** The detected layer has to make the network's own f from its own hidden layer. */
function checkLastLayer({ detected }: OnnxNetwork, { hidden, functions }: Activations): void {
  const { lastLayer } = detected;
  if (!lastLayer) return;
  const { weights, bias } = lastLayer;
  if (weights.cols !== hidden.cols || weights.rows !== functions.cols)
    throw new RatewiseError(
      "shape",
      `needs ${weights.cols} hidden units and ${weights.rows} outputs a row, got ${hidden.cols} and ${functions.cols}`,
    );
  const made = multiplyTranspose(hidden, weights);
  const largest = functions.data.reduce((most, f) => Math.max(most, Math.abs(f)), 0);
  for (let e = 0; e < made.data.length; e++)
    if (
      !(
        Math.abs(made.data[e] + bias[e % bias.length] - functions.data[e]) <=
        CLOSE_ENOUGH * (1 + largest)
      )
    )
      throw new RatewiseError(
        "domain",
        `the last layer that was found does not make the network's output from "${detected.hidden}" in row ${Math.floor(e / bias.length)}; name the hidden tensor with --hidden`,
      );
}

/** Multiplications that all backward passes together may take before a cheaper score is used. */
const MOST_WORK = 2e11;

interface DerivativeRequest {
  readonly weights: readonly Float64Array[];
  readonly groups: readonly Group[];
  readonly shape: readonly number[];
  readonly mostWork: number;
  readonly run: RunOptions;
}

type Derivatives =
  | { readonly blocks: Iterable<JacobianBlock> }
  | { readonly direct: { readonly form: "mean-squared"; readonly scores: Float64Array } };

async function derivativesFor(
  network: OnnxNetwork,
  X: Matrix,
  l: number,
  request: DerivativeRequest,
): Promise<{ derivatives: Derivatives | null; notes: Diagnostic[] }> {
  const { model, files, detected } = network;
  const { program, missing } = compile(model, files, detected.input.name, detected.hidden);
  if (!program)
    return {
      derivatives: null,
      notes: [
        {
          code: "no-derivatives",
          message: `No direct importance: ${missing.length === 1 ? `the operator ${missing[0]} has` : `the operators ${missing.join(", ")} have`} no derivatives here. RATE does not need them.`,
          operators: missing,
        },
      ],
    };
  if (X.rows * l * workOf(program, X, request.shape) <= request.mostWork)
    return {
      derivatives: { blocks: hiddenJacobians(network, program, X, l, request.shape) },
      notes: [],
    };
  return {
    derivatives: {
      direct: await drive(meanSquaredGradients(network, program, X, request), request.run),
    },
    notes: [],
  };
}

/** Multiplications of one row's way through the network, about. */
function workOf(program: Program, X: Matrix, shape: readonly number[]): number {
  const row = tensor([1, ...shape], X.data.slice(0, X.cols));
  let work = X.cols;
  try {
    const values = evaluate(program, row);
    for (const { node } of program.steps) {
      const out = values.get(node.outputs[0])!.data.length;
      const weights = program.constants.get(node.inputs[1] ?? "");
      const each =
        node.operator === "Conv"
          ? (weights?.data.length ?? 1) / (weights?.dims[0] ?? 1)
          : node.operator === "Gemm" || node.operator === "MatMul"
            ? (weights?.data.length ?? out) / out
            : 1;
      work += out * each;
    }
  } catch (error) {
    // Graphs for a fixed number of rows do not take one: the weights are what there is to go by.
    if (!(error instanceof RatewiseError)) throw error;
    for (const { data } of program.constants.values()) work += data.length;
  }
  return work;
}

/** Σ_j∈g Var(x_j)·(1/n)Σ_i(∂f_i/∂x_j)², summed over outputs: one backward pass a row and output. */
function* meanSquaredGradients(
  network: OnnxNetwork,
  program: Program,
  X: Matrix,
  { weights, groups, shape }: DerivativeRequest,
): Generator<Progress, { form: "mean-squared"; scores: Float64Array }> {
  const p = X.cols;
  const squares = new Float64Array(p);
  const together = rowsTogether(program, tensor([1, ...shape], X.data.subarray(0, p)));
  for (const { x, rows, start } of blocks(network, X, shape, together)) {
    const values = evaluate(program, x);
    const { dims, data } = targetOf(program, values);
    for (const w of weights) {
      const seed = tensor(dims);
      for (let e = 0; e < data.length; e++) seed.data[e] = w[e % w.length];
      const slopes = backward(program, values, seed).data;
      for (let e = 0; e < rows * p; e++) squares[e % p] += slopes[e] ** 2 / X.rows;
    }
    yield { phase: "direct effects", done: start + rows, total: X.rows };
  }
  const variance = columnVariances(X);
  return {
    form: "mean-squared",
    scores: Float64Array.from(groups, ({ members }) =>
      members.reduce((sum, j) => sum + variance[j] * squares[j], 0),
    ),
  };
}

function columnVariances({ data, rows, cols }: Matrix): Float64Array {
  const mean = matrix(1, cols).data;
  for (let e = 0; e < data.length; e++) mean[e % cols] += data[e] / rows;
  const out = new Float64Array(cols);
  for (let e = 0; e < data.length; e++)
    out[e % cols] += (data[e] - mean[e % cols]) ** 2 / (rows - 1);
  return out;
}
