import {
  type Encoding,
  encode,
  type LearningTask,
  readBundle,
  type Table,
  writeBundle,
} from "../data/index.ts";
import { RatewiseError } from "../errors.ts";
import { type Network, predict } from "../network/index.ts";

/** What `explain` trained: plain data, enough to predict new rows of a table like the first. */
export interface Model {
  readonly kind: "ratewise-model";
  readonly version: string;
  readonly task: LearningTask;
  readonly target: string;
  readonly classes: readonly string[] | null;
  readonly encoding: Encoding;
  /** The ensemble's members; one network is an ensemble of one. */
  readonly networks: readonly Network[];
}

export function writeModel(model: Model): Uint8Array<ArrayBuffer> {
  return writeBundle(model);
}

/** The model in a file, or an error that says why it cannot be one. */
export function readModel(bytes: Uint8Array, where: string): Model {
  const value = readBundle(bytes, where) as Partial<Model> | null;
  if (value?.kind !== "ratewise-model" || !Array.isArray(value.networks) || !value.encoding)
    throw new RatewiseError("parse", `${where}: this ratewise file does not hold a model`, {
      where,
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
}

/** Predicts every row of a table; columns are found by name, missing values filled with training means. */
export function predictTable(model: Model, source: Table): ModelPrediction {
  const rows = Uint32Array.from({ length: source.rows }, (_, i) => i);
  return predictRows(model, encode(model.encoding, source, rows));
}

/** Predicts encoded rows. The variance of a mixture is the mean variance plus the variance of the means. */
export function predictRows(
  model: Pick<Model, "networks" | "task">,
  X: { readonly data: Float32Array; readonly rows: number; readonly cols: number },
): ModelPrediction {
  const members = model.networks.map((network) => predict(network, X));
  const K = members.length;
  if (model.task === "classification") {
    const probabilities = new Float64Array(members[0].probabilities!.data.length);
    for (const member of members)
      for (let e = 0; e < probabilities.length; e++)
        probabilities[e] += member.probabilities!.data[e] / K;
    return { mean: null, sd: null, probabilities };
  }
  const mean = new Float64Array(X.rows);
  const sd = new Float64Array(X.rows);
  for (let i = 0; i < X.rows; i++) {
    let first = 0;
    let second = 0;
    for (const member of members) {
      const f = member.mean.data[i];
      first += f / K;
      second += (member.variance.data[i] + (member.noiseVariance ?? 0) + f * f) / K;
    }
    mean[i] = first;
    sd[i] = Math.sqrt(Math.max(0, second - first * first));
  }
  return { mean, sd, probabilities: null };
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
