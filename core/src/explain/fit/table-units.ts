import { checkKind } from "../../data/design.ts";
import { lineOf, OTHER_LEVEL } from "../../data/encoding.ts";
import { expandedWidth } from "../../data/expansion.ts";
import { columnNamed, type Encoding, type Table, type VariableEncoding } from "../../data/index.ts";
import { RatewiseError } from "../../errors.ts";
import { type Matrix, matrix } from "../../linalg/index.ts";
import type { Network, NetworkParameters } from "../../network/index.ts";
import { type Layout, layoutOf, type SkipStage } from "../../network/layout.ts";

/** A column of X is (value − centre)/scale, the value a number, an indicator of a level or a hat of an expansion. */
interface ColumnUnits {
  readonly centre: Float64Array;
  readonly scale: Float64Array;
}

function columnUnits({ variables, width, expansions = [] }: Encoding): ColumnUnits {
  const centre = new Float64Array(width);
  const scale = new Float64Array(width);
  for (const variable of variables) {
    if (variable.kind === "category") {
      const { shares, first } = variable;
      centre.set(shares, first);
      scale.fill(variable.scale, first, first + shares.length);
      continue;
    }
    const line = lineOf(variable);
    centre[variable.first] = line.centre;
    scale[variable.first] = line.scale;
  }
  for (const { first, means, scale: own } of expansions) {
    centre.set(means, first);
    scale.fill(own, first, first + means.length);
  }
  return { centre, scale };
}

/**
 * The same function of the table's own numbers: standardisation becomes part of the first layer,
 * W_j ← W_j/s_j and b ← b − Σ_j W_j c_j/s_j. In double precision.
 */
export function inTableUnits(network: Network, encoding: Encoding): NetworkParameters {
  const layout = layoutOf(network.architecture);
  const { centre, scale } = columnUnits(encoding);
  const theta = Float64Array.from(network.parameters);
  const fold = (weight: number, bias: number, j: number) => {
    theta[weight] /= scale[j];
    theta[bias] -= theta[weight] * centre[j];
  };
  const skip = layout.stages.at(-1);
  const first = layout.stages.find(({ kind }) => kind !== "dropout");
  if (skip?.kind === "skip") foldLinear(theta, layout, skip, { centre, scale });
  if (!first)
    for (let c = 0; c < layout.outputs; c++)
      for (let j = 0; j < layout.inputs; j++)
        fold(layout.mean + c * layout.inputs + j, layout.bias + c, j);
  else if (first.kind === "dense")
    for (let j = 0; j < first.inputs; j++)
      for (let u = 0; u < first.units; u++)
        fold(first.weights + j * first.units + u, first.bias + u, j);
  else if (first.kind === "masked-dense")
    first.from.forEach((j, c) => {
      fold(first.weights + c, first.bias + first.to[c], j);
    });
  else
    throw new RatewiseError("domain", {
      in: "saliency",
      what: `needs a first layer of weights on columns, got ${first.kind}`,
    });
  return { architecture: network.architecture, parameters: theta };
}

/** The columns of a linear part enter its output weights, or the combinations that stand for them. */
function foldLinear(
  theta: Float64Array,
  { outputs, hidden, linear, mean, bias }: Layout,
  { from, columns, weights }: SkipStage,
  { centre, scale }: ColumnUnits,
): void {
  const first = hidden - linear;
  for (let c = 0; c < outputs; c++) {
    const own = mean + c * hidden + first;
    for (let j = 0; j < from; j++) {
      if (weights < 0) {
        theta[own + j] /= scale[j];
        theta[bias + c] -= theta[own + j] * centre[j];
        continue;
      }
      for (let k = 0; k < columns; k++)
        theta[bias + c] -=
          (theta[weights + j * columns + k] / scale[j]) * centre[j] * theta[own + k];
    }
  }
  if (weights < 0) return;
  for (let j = 0; j < from; j++)
    for (let k = 0; k < columns; k++) theta[weights + j * columns + k] /= scale[j];
}

/**
 * The table's numbers and indicators of levels; missing values as the training rows' mean. A number whose effect is
 * rough is one column like any other: see `attributeColumns`.
 */
export function columnsInTableUnits(encoding: Encoding, source: Table): Matrix {
  const { variables } = encoding;
  const width = encoding.width - expandedWidth(encoding.expansions ?? []);
  const out = matrix(source.rows, width);
  for (const variable of variables) {
    const column = columnNamed(source, variable.name);
    checkKind(variable, column);
    const { first } = variable;
    if (column.kind === "number" && variable.kind !== "category") {
      const { centre } = lineOf(variable);
      for (let i = 0; i < source.rows; i++) {
        const value = column.values[i];
        out.data[i * width + first] = Number.isNaN(value) ? centre : value;
      }
    } else if (column.kind === "category") {
      const { ofText, missing } = indicators(variable);
      const known = column.levels.map(ofText);
      for (let i = 0; i < source.rows; i++)
        out.data.set(known[column.codes[i]] ?? missing, i * width + first);
    }
  }
  return out;
}

/** The indicators of a text's levels: of two texts that of the rarer, the mean for one that training did not meet. */
function indicators(variable: VariableEncoding): {
  ofText: (text: string) => readonly number[];
  missing: readonly number[];
} {
  if (variable.kind === "category") {
    const { levels, shares } = variable;
    const other = levels.indexOf(OTHER_LEVEL);
    const ofText = (text: string) => {
      const found = levels.indexOf(text);
      return levels.map((_, k) => (k === (found < 0 ? other : found) ? 1 : 0));
    };
    return { ofText, missing: shares };
  }
  const missing = [variable.mean];
  const places: readonly (number | string)[] = variable.kind === "pair" ? variable.values : [];
  const values = [missing, [0], [1]];
  return { ofText: (text) => values[places.indexOf(text) + 1], missing };
}
