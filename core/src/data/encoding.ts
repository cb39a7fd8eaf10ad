import { type Expansion, expandedWidth } from "./expansion.ts";

/** How one variable becomes columns of X. `first` is its first column. */
export type VariableEncoding = EncodedNumber | EncodedPair | EncodedCategory;

/** x becomes (x − mean)/scale. */
export interface EncodedNumber {
  readonly kind: "number";
  readonly name: string;
  readonly first: number;
  readonly mean: number;
  readonly scale: number;
}

/**
 * A column of two values, numbers or texts alike: the commoner is 0, the other 1, then (x − mean)/scale. Of numbers what
 * lies elsewhere keeps its place on that line; another text is the mean.
 */
export interface EncodedPair {
  readonly kind: "pair";
  readonly name: string;
  readonly first: number;
  /** The commoner, then the other. */
  readonly values: readonly [number, number] | readonly [string, string];
  /** Share of the other. */
  readonly mean: number;
  readonly scale: number;
}

/** One indicator per level, centred, all over the same scale. */
export interface EncodedCategory {
  readonly kind: "category";
  readonly name: string;
  readonly first: number;
  /** The commonest first; texts that are none of them go to the last, "(other)", if there is one. */
  readonly levels: readonly string[];
  readonly shares: readonly number[];
  readonly scale: number;
}

/** How a table becomes X: plain data, fitted on the training rows, stored with the model. */
export interface Encoding {
  readonly variables: readonly VariableEncoding[];
  /** Columns of X. */
  readonly width: number;
  /** Columns made of others, after those of the variables; none where nothing was expanded. */
  readonly expansions?: readonly Expansion[];
}

/** The encoding with further columns for some of its own. */
export function expandEncoding(encoding: Encoding, expansions: readonly Expansion[]): Encoding {
  if (expansions.length === 0) return encoding;
  return { ...encoding, width: encoding.width + expandedWidth(expansions), expansions };
}

export const OTHER_LEVEL = "(other)";

/** Columns of X that a variable takes. */
export function columnsOf(variable: VariableEncoding): number {
  return variable.kind === "category" ? variable.levels.length : 1;
}

/** Whether the variable is numbers in the table, two or more. */
export function isNumeric(
  variable: VariableEncoding,
): variable is EncodedNumber | (EncodedPair & { readonly values: readonly [number, number] }) {
  if (variable.kind === "pair") return typeof variable.values[0] === "number";
  return variable.kind === "number";
}

/** A numeric variable's column of X is (x − centre)/scale; the scale is negative where the commoner of two is the larger. */
export function lineOf(variable: VariableEncoding & { readonly mean: number }): {
  readonly centre: number;
  readonly scale: number;
} {
  const { mean, scale } = variable;
  if (variable.kind !== "pair" || typeof variable.values[0] !== "number")
    return { centre: mean, scale };
  const [zero, one] = variable.values as readonly [number, number];
  return { centre: zero + mean * (one - zero), scale: scale * (one - zero) };
}

/** The variables that are texts in the table: a reader would take some of them for numbers. */
export function textVariables({ variables }: Encoding): string[] {
  return variables.filter((variable) => !isNumeric(variable)).map(({ name }) => name);
}

/** For each column of X the index of the variable it belongs to. */
export function variableOfColumn(encoding: Encoding): Uint32Array {
  const owner = new Uint32Array(encoding.width);
  encoding.variables.forEach((variable, index) => {
    owner.fill(index, variable.first, variable.first + columnsOf(variable));
  });
  for (const { column, first, knots } of encoding.expansions ?? [])
    owner.fill(owner[column], first, first + knots.length);
  return owner;
}
