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
  /** One name per column of a table; the networks may take more, see `attributeColumns`. */
  readonly columns: readonly string[];
  /** Null for a regression, and where classes have no names. */
  readonly classes: readonly string[] | null;
  /** What the networks speak of where it is no number of the table: `log(price)`; null where it is the target itself, or classes. */
  readonly logarithm: string | null;
  /** How a table becomes the columns; null for a network by itself, which takes its inputs as they are. */
  readonly encoding: Encoding | null;
}

/** The networks in a file: a model that explain wrote, or a network by itself. */
export function readSaliencyModel(bytes: Uint8Array, where: string): SaliencyModel {
  const value = readBundle(bytes, where) as Partial<Model> | Partial<Network> | null;
  if (value?.kind === "network" && isNetwork(value)) {
    const { inputs } = value.architecture;
    const columns = Array.from({ length: inputs }, (_, j) => `x${j + 1}`);
    return { networks: [value], columns, classes: null, logarithm: null, encoding: null };
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
    columns: columnNames({ ...encoding, expansions: [] }),
    classes: (value as Partial<Model>).classes ?? null,
    logarithm: logarithmOf(value as Model),
    encoding,
  };
}

/** `log(price)` or `log(price + 3)` where a model learned that; null where it learned the target as it is. */
export function logarithmOf({ target, targetScale }: Model): string | null {
  if (!targetScale) return null;
  const { shift } = targetScale;
  return `log(${target}${shift === 0 ? "" : ` + ${Number(shift.toPrecision(3))}`})`;
}

function isNetwork(value: Partial<Network>): value is Network {
  const { architecture, parameters } = value;
  return Array.isArray(architecture?.layers) && parameters instanceof Float32Array;
}
