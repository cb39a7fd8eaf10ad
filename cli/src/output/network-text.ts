import type { Io } from "../io.ts";
import { printable, wrap } from "./printable.ts";

interface ModelTensor {
  readonly name: string;
  readonly type: string;
  readonly shape: readonly (number | string | null)[] | null;
}

/** What `ratewise model --json` prints. */
export interface ModelDocument {
  readonly kind: "model";
  readonly file: string;
  readonly producer: string;
  readonly opset: number;
  /** Numbers among the weights. */
  readonly parameters: number;
  readonly inputs: readonly ModelTensor[];
  readonly outputs: readonly ModelTensor[];
  /** In the order of their first use. */
  readonly operators: readonly { readonly name: string; readonly count: number }[];
  /** Null where nothing was found, for the reason in `why`. */
  readonly detected: {
    readonly output: string;
    readonly link: string;
    readonly hidden: string;
    /** Of the last hidden layer; null for a tensor named by hand that no linear layer takes to the output. */
    readonly units: number | null;
    readonly logits: number | null;
    /** Numbers per row; null where the file leaves it open. */
    readonly columns: number | null;
    /** Null for any number. */
    readonly rowsAtOnce: number | null;
    /** Operators that have no derivatives here. */
    readonly withoutDerivatives: readonly string[];
  } | null;
  readonly why: string | null;
  readonly version: string;
}

/** A network for people. */
export function modelText(document: ModelDocument, io: Io): string {
  const width = Math.max(60, Math.min(io.columns, 120));
  const shapeOf = ({ name, type, shape }: ModelTensor): string =>
    `${printable(name)} (${type}${shape ? ` ${shape.map((d) => (d === null ? "?" : printable(`${d}`))).join("×")}` : ""})`;
  const { producer, opset, parameters, operators } = document;
  const lines = [
    ["made by", `${printable(producer || "?")}, opset ${opset}`],
    ["inputs", document.inputs.map(shapeOf).join(", ")],
    ["outputs", document.outputs.map(shapeOf).join(", ")],
    [
      "operators",
      operators
        .map(({ name, count }) => (count > 1 ? `${printable(name)} ×${count}` : printable(name)))
        .join(", "),
    ],
    ["parameters", `${parameters}`],
    ...found(document),
  ];
  const title = Math.max(...lines.map(([name]) => name.length));
  return `${lines
    .map(([name, value]) => wrap(`${name.padEnd(title)}  ${value}`, width, " ".repeat(title + 2)))
    .join("\n")}\n`;
}

const LINKS: Readonly<Record<string, string>> = {
  identity: "nothing: numbers, or logits",
  logistic: "a sigmoid",
  softmax: "a softmax",
};

function found({ detected, why }: ModelDocument): string[][] {
  if (!detected) return [["explaining", `not possible as it is: ${printable(why ?? "")}`]];
  const { link, hidden, units, logits, columns, rowsAtOnce, withoutDerivatives } = detected;
  return [
    ["ends with", LINKS[link] ?? link],
    [
      "last layer",
      units === null
        ? `refitted from ${printable(hidden)}`
        : `${units} units of ${printable(hidden)} → ${logits}`,
    ],
    [
      "rows",
      `${columns ?? "?"} numbers each${rowsAtOnce === null ? "" : `, ${rowsAtOnce} at once`}`,
    ],
    [
      "derivatives",
      withoutDerivatives.length === 0
        ? "of all operators: saliency and direct importance work"
        : `not of ${withoutDerivatives.join(", ")}: RATE works, saliency and direct importance do not`,
    ],
  ];
}
