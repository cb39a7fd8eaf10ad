import { type Design, encode } from "../../data/design.ts";
import {
  type Encoding,
  type LearningTask,
  readBundle,
  type Table,
  writeBundle,
} from "../../data/index.ts";
import { RatewiseError } from "../../errors.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import { type LogScale, type Network, predict } from "../../network/index.ts";
import { meanResponse, responseDeviation } from "../../network/log-scale.ts";
import { predictEnsemble } from "../../network/predict-ensemble.ts";
import { type GaussianProcess, type OutputWeights, predictProcess } from "../../posterior/index.ts";
import { version } from "../../version.ts";
import type { Prepared } from "../prepare/prepared.ts";

/** What predicts: networks, or a Gaussian process. */
export interface ModelParts {
  /** The ensemble's members; one network is an ensemble of one. None where there is a process. */
  readonly networks: readonly Network[];
  /** Each member's output weights where they were fitted anew: one per output, with their covariance. */
  readonly outputWeights?: readonly (readonly OutputWeights[])[];
  readonly process?: GaussianProcess;
  /** Where networks speak of the target's logarithm; predictions are in its own unit all the same. */
  readonly targetScale?: LogScale;
}

/** What `explain` trained: plain data, enough to predict new rows of a table like the first. */
export interface Model extends ModelParts {
  readonly kind: "ratewise-model";
  readonly version: string;
  readonly task: LearningTask;
  readonly target: string;
  readonly classes: readonly string[] | null;
  readonly encoding: Encoding;
}

/** The parts of a fitted model with what it takes to predict rows of a table. */
export function modelOf({ task, target, classes, encoding }: Prepared, parts: ModelParts): Model {
  return { kind: "ratewise-model", version, task, target, classes, encoding, ...parts };
}

/** A model as the bytes of a .ratewise file, for `readModel` and `ratewise predict`. */
export function writeModel(model: Model): Uint8Array<ArrayBuffer> {
  return writeBundle(model);
}

/** The model in a file, or an error that says why it cannot be one. */
export function readModel(bytes: Uint8Array, where: string): Model {
  const value = readBundle(bytes, where) as Partial<Model> | null;
  if (value?.kind !== "ratewise-model" || !Array.isArray(value.networks) || !value.encoding)
    throw new RatewiseError("parse", {
      at: where,
      what: "this ratewise file does not hold a model",
    });
  return value as Model;
}

/** Predictions of an ensemble, averaged over its members. */
export interface ModelPrediction {
  /** E f in the response's units; null for classes. */
  readonly mean: Float64Array | null;
  /** Standard deviation of a new response: output weights, members and noise; null for classes. */
  readonly sd: Float64Array | null;
  /** n×C, row-major; null for a regression. */
  readonly probabilities: Float64Array | null;
  /** Where the networks learned the logarithm of the target: its distribution, which is Gaussian there and skewed in `mean` and `sd`. */
  readonly logarithm?: {
    readonly mean: Float64Array;
    readonly sd: Float64Array;
    /** Added to the target before its logarithm is taken. */
    readonly shift: number;
  };
}

/** Predicts every row of a table; columns are found by name, missing values filled with training means. */
export function predictTable(model: Model, source: Table): ModelPrediction {
  const rows = Uint32Array.from({ length: source.rows }, (_, i) => i);
  return predictRows(model, encode(model.encoding, source, rows));
}

/** Predicts encoded rows by all members together, or by the process. */
export function predictRows(
  { networks, outputWeights, process, targetScale, task }: ModelParts & Pick<Model, "task">,
  X: Design,
): ModelPrediction {
  if (process) {
    const { mean, variance } = predictProcess(process, asMatrix(X));
    const sd = variance.map((value) => Math.sqrt(value + process.noiseVariance));
    return { mean, sd, probabilities: null };
  }
  const { mean, variance, noiseVariance, probabilities } = predictEnsemble(
    networks.map((network, k) =>
      predict(
        network,
        X,
        outputWeights?.[k].map(({ covariance }) => covariance),
      ),
    ),
  );
  if (task === "classification")
    return { mean: null, sd: null, probabilities: probabilities!.data };
  const sd = variance.data.map((value) => Math.sqrt(value + noiseVariance!));
  if (!targetScale) return { mean: mean.data, sd, probabilities: null };
  const own = mean.data.map((f) => meanResponse(targetScale, f));
  return {
    mean: own,
    sd: own.map((value, i) => responseDeviation(targetScale, value, sd[i] ** 2)),
    probabilities: null,
    logarithm: { mean: mean.data, sd, shift: targetScale.shift },
  };
}

/** Encoded rows in double precision. */
export function asMatrix({ data, rows, cols }: Design): Matrix {
  return matrix(rows, cols, Float64Array.from(data));
}

/** The most probable class of each row. */
export function likeliestClasses(probabilities: Float64Array, classes: number): Uint32Array {
  const n = probabilities.length / classes;
  const best = new Uint32Array(n);
  for (let i = 0; i < n; i++)
    for (let c = 1; c < classes; c++)
      if (probabilities[i * classes + c] > probabilities[i * classes + best[i]]) best[i] = c;
  return best;
}
