import {
  type Diagnostic,
  explainHidden,
  fromRows,
  type Matrix,
  type RankingBasis,
  RatewiseError,
  type RunOptions,
  type TrainedNetworkDocument,
} from "@ratewise/core";
import type { VariableGroup } from "@ratewise/core/data";
import { diagnostic } from "@ratewise/core/diagnostic";
import { nameOf, refuseUnknown, refuseUnlisted } from "@ratewise/core/errors";
import { multiplyTranspose } from "@ratewise/core/linalg";
import { linkNames } from "@ratewise/core/network";
import {
  biasTreatments,
  posteriorPlaces,
  type RefitLastLayerOptions,
  refitLastLayer,
} from "@ratewise/core/posterior";
import { mention, say } from "@ratewise/core/words";
import { type Activations, activations } from "./activations.ts";
import type { NetworkLink } from "./detect.ts";
import { derivativesFor } from "./hidden-derivatives.ts";
import { rowShape } from "./input-layout.ts";
import { naming, type OnnxNetwork, openNetwork } from "./network.ts";
import { columnOf, type Observed, responseOf } from "./response.ts";

/** What `explainNetwork` is told about the network and its rows, and how it refits the last layer. All are optional. */
export interface ExplainNetworkOptions
  extends RunOptions,
    Pick<RefitLastLayerOptions, "around" | "priorPrecision" | "noiseVariance" | "bias"> {
  /** What was observed in the rows: needed for numbers, unless their noise variance is given. */
  readonly target?: Observed;
  /** What errors call the network; default its path. */
  readonly where?: string;
  /** The name of the data in error messages. */
  readonly data?: string;
  /** What turns f into the answer; default what the graph shows, and a softmax for several outputs without one. */
  readonly link?: NetworkLink;
  /** One name per column; default x1 … xp. */
  readonly names?: readonly string[];
  /** Names of the classes, in the order of the network's outputs; default those of the target in alphabetical order, or 0, 1, … */
  readonly classes?: readonly string[];
  /** Sets of columns to rank as well; members count from 0. */
  readonly groups?: readonly VariableGroup[];
  /** The shape of one row, where the network takes more than a list of numbers and leaves it open. */
  readonly rowShape?: readonly number[];
  /** Multiplications that the derivatives of the hidden layer may take, default 2e11; beyond, `direct` is the mean squared gradient. */
  readonly mostWork?: number;
  /** Recorded in the answer; default 1. */
  readonly seed?: number;
  /** Called with what RATE was computed from, for core's `rankAgain`. */
  readonly onRanking?: (basis: RankingBasis) => void;
  /** What to record as options. */
  readonly record?: Readonly<Record<string, unknown>>;
}

const known: Readonly<Record<keyof ExplainNetworkOptions, true>> = {
  target: true,
  where: true,
  data: true,
  link: true,
  names: true,
  classes: true,
  groups: true,
  rowShape: true,
  mostWork: true,
  seed: true,
  onRanking: true,
  record: true,
  around: true,
  priorPrecision: true,
  noiseVariance: true,
  bias: true,
  signal: true,
  onProgress: true,
};

/**
 * Which inputs of a trained network matter: runs it to its last hidden layer, refits the last linear layer, and ranks. RATE needs
 * no derivatives; where an operator has none, `direct` is null and a diagnostic names the operator.
 *
 * @param source an ONNX file as its path or its bytes, or a network that is open already
 * @param rows inputs in the order and the scale of training, one row each
 *
 * @example
 * ```js
 * import { ranked } from "@ratewise/core";
 * import { explainNetwork } from "@ratewise/onnx";
 *
 * const rows = Array.from({ length: 100 }, (_, i) => [Math.sin(i), Math.cos(3 * i), Math.sin(5 * i), (i % 7) / 7]);
 * const answer = await explainNetwork("net.onnx", rows, { names: ["age", "dose", "weight", "site"] });
 * for (const v of ranked(answer)) console.log(v.name, v.direct.rank); // → age 1…
 * ```
 */
export async function explainNetwork(
  source: OnnxNetwork | Uint8Array | string,
  rows: Matrix | readonly (readonly number[])[],
  options: ExplainNetworkOptions = {},
): Promise<TrainedNetworkDocument> {
  checkNetworkOptions(options);
  const X = matrixOf(rows);
  const where = options.where ?? (typeof source === "string" ? source : undefined);
  const network =
    typeof source === "string" || source instanceof Uint8Array
      ? await openNetwork(source, where === undefined ? {} : { where })
      : source;
  const made = await naming("explainNetwork", where, async () => {
    const found = await activations(network, X, options);
    checkLastLayer(network, found);
    return { ...found, ...chooseLink(network, found.functions.cols, options) };
  });
  const { target, classes, data = where } = options;
  const column = target === undefined ? null : columnOf(target);
  const response = await naming("explainNetwork", data, async () =>
    responseOf(column, made.link, made.functions.cols, classes),
  );
  if (response.values && response.values.length !== X.rows)
    throw new RatewiseError("shape", {
      in: "explainNetwork",
      at: data,
      what: `needs a target for each of ${X.rows} rows, got ${response.values.length}`,
      option: "target",
    });
  return naming("explainNetwork", where, async () => {
    const { hidden, functions, link, by } = made;
    const { names = columnNames(X.cols), groups = [], seed = 1, mostWork } = options;
    const { lastLayer } = network.detected;
    const refit = refitLastLayer(hidden, response.values, {
      link,
      ...(link === "softmax" && { classes: functions.cols }),
      ...(lastLayer && { network: lastLayer }),
      ...pickRefit(options),
    });
    const { derivatives, notes } = await derivativesFor(network, X, hidden.cols, {
      ...(mostWork !== undefined && { mostWork }),
      run: options,
      weights: refit.posterior.outputs.map(({ mean }) => mean),
      groups: [...names.map((name, j) => ({ name, members: [j] })), ...groups],
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
      classes: response.classes,
      response: column && { name: column.name, values: response.values! },
      groups,
      derivatives,
      seed,
      about: {
        producer: network.model.producer,
        opset: network.model.opset,
        link,
        hidden: network.detected.hidden,
        outputs: functions.cols,
        by,
      },
      record: options.record ?? {},
      diagnostics: [...response.diagnostics, ...made.diagnostics, ...made.notes, ...notes],
    });
  });
}

function checkNetworkOptions(options: ExplainNetworkOptions): void {
  const name = "explainNetwork";
  refuseUnknown(name, options, known);
  refuseUnlisted(name, "link", linkNames, options.link);
  refuseUnlisted(name, "around", posteriorPlaces, options.around);
  refuseUnlisted(name, "bias", biasTreatments, options.bias);
  const { groups = [] } = options;
  if (!Array.isArray(groups))
    throw new RatewiseError("domain", {
      in: name,
      what: `needs groups as a list, got ${nameOf(groups)}`,
      advice: "give { name, members: [0, 2] } for each group",
      option: "groups",
    });
}

/** The rows as a matrix: lists of numbers, or a matrix; a table, or the promise of one, is neither. */
function matrixOf(rows: Matrix | readonly (readonly number[])[]): Matrix {
  if (Array.isArray(rows)) return fromRows(rows);
  const { data, rows: n, cols } = (rows ?? {}) as Partial<Matrix>;
  if (ArrayBuffer.isView(data) && Number.isInteger(n) && Number.isInteger(cols))
    return rows as Matrix;
  throw new RatewiseError("shape", {
    in: "explainNetwork",
    what: `needs the rows as a matrix or as lists of numbers, got ${nameOf(rows)}`,
    advice: "give the network's columns in the order of training, one list of numbers per row",
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
    throw new RatewiseError("domain", {
      what: `needs at least 2 outputs for a softmax, got ${outputs}`,
      option: "link",
    });
  if (link === "logistic" && outputs !== 1)
    throw new RatewiseError("domain", {
      what: `needs one output for a sigmoid, got ${outputs}: ratewise does not explain several labels at once`,
      option: "link",
    });
  if (link !== "identity" || outputs === 1) return { link, notes: [] };
  if (options.link === "identity")
    throw new RatewiseError("domain", {
      what: `needs one output of numbers, got ${outputs}`,
      option: "link",
    });
  return {
    link: "softmax",
    notes: [
      diagnostic(
        "outputs-as-logits",
        `The network has ${outputs} outputs and no link. They are read as the logits of ${outputs} classes.`,
        { outputs },
      ),
    ],
  };
}

/** Half precision has 11 bits, and sums add up their errors. */
const CLOSE_ENOUGH = 0.02;

/** The detected layer has to make the network's own f from its own hidden layer. */
function checkLastLayer({ detected }: OnnxNetwork, { hidden, functions }: Activations): void {
  const { lastLayer } = detected;
  if (!lastLayer) return;
  const { weights, bias } = lastLayer;
  if (weights.cols !== hidden.cols || weights.rows !== functions.cols)
    throw new RatewiseError("shape", {
      what: `needs ${weights.cols} hidden units and ${weights.rows} outputs per row, got ${hidden.cols} and ${functions.cols}`,
    });
  const made = multiplyTranspose(hidden, weights);
  const largest = functions.data.reduce((most, f) => Math.max(most, Math.abs(f)), 0);
  for (let e = 0; e < made.data.length; e++)
    if (
      !(
        Math.abs(made.data[e] + bias[e % bias.length] - functions.data[e]) <=
        CLOSE_ENOUGH * (1 + largest)
      )
    )
      throw new RatewiseError("domain", {
        what: `the last layer found does not give the network's output from "${detected.hidden}" in row ${Math.floor(e / bias.length)}`,
        advice: say`name the hidden tensor with ${mention("hidden")}`,
      });
}
