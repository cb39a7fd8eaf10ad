import { type Encoding, readBundle } from "../../data/index.ts";
import { RatewiseError } from "../../errors.ts";
import type { Network, NetworkParameters } from "../../network/index.ts";
import { mention, say } from "../../words/words.ts";
import { columnNames } from "../prepare/column-names.ts";
import type { Model } from "./model.ts";
import { inTableUnits } from "./table-units.ts";

/** Networks to attribute, as functions of what a table or an array holds. */
export interface SaliencyModel {
  readonly networks: readonly NetworkParameters[];
  /** One name per column. */
  readonly columns: readonly string[];
  /** Null for a regression, and where classes have no names. */
  readonly classes: readonly string[] | null;
  /** How a table becomes the columns; null for a network by itself, which takes its inputs as they are. */
  readonly encoding: Encoding | null;
}

/** The networks in a file: a model that explain wrote, or a network by itself. */
export function readSaliencyModel(bytes: Uint8Array, where: string): SaliencyModel {
  const value = readBundle(bytes, where) as Partial<Model> | Partial<Network> | null;
  if (value?.kind === "network" && isNetwork(value)) {
    const { inputs } = value.architecture;
    const columns = Array.from({ length: inputs }, (_, j) => `x${j + 1}`);
    return { networks: [value], columns, classes: null, encoding: null };
  }
  if (value?.kind === "ratewise-model" && value.process)
    throw new RatewiseError("domain", {
      at: where,
      what: "needs a network, got a Gaussian process",
      advice: say`explain with ${mention("model", "network")} writes one`,
    });
  const networks = value?.kind === "ratewise-model" ? value.networks : undefined;
  const encoding = value?.kind === "ratewise-model" ? value.encoding : undefined;
  if (!(encoding && networks?.length && networks.every(isNetwork)))
    throw new RatewiseError("parse", {
      at: where,
      what: "this ratewise file does not hold a network",
    });
  return {
    networks: networks.map((network) => inTableUnits(network, encoding)),
    columns: columnNames(encoding),
    classes: (value as Partial<Model>).classes ?? null,
    encoding,
  };
}

function isNetwork(value: Partial<Network>): value is Network {
  const { architecture, parameters } = value;
  return Array.isArray(architecture?.layers) && parameters instanceof Float32Array;
}
