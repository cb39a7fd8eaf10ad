/** A hidden layer as far as a drawing needs to know it; kinds that are not known are drawn as a box of that name. */
export interface DiagramLayer {
  readonly kind: string;
  readonly units?: number;
  readonly filters?: number;
  readonly activation?: string;
  /** Of a convolution or a pooling: a side, or height and width. */
  readonly kernel?: number | readonly [number, number];
  /** Of dropout. */
  readonly rate?: number;
}

/** What is drawn: an architecture, or the layers and the link of one. */
export interface DiagramSource {
  readonly layers: readonly DiagramLayer[];
  readonly link: string;
  /** Number of input columns; left out, they are drawn as many. */
  readonly inputs?: number;
  /** Number of classes of a softmax. */
  readonly classes?: number;
}

export interface DiagramOptions {
  /** Names of the input columns, at most as many as there are. */
  readonly inputNames?: readonly string[];
  /** Names of the outputs: the target, or the classes. */
  readonly outputNames?: readonly string[];
  readonly title?: string;
}

/** One column of the drawing of a network. */
export interface DiagramColumn {
  /** Circles for units, overlapping squares for feature maps, a named box for anything else. */
  readonly shape: "units" | "maps" | "box";
  readonly name: string;
  /** Places in the column; with the last but one an ellipsis where the layer is not drawn whole. */
  readonly drawn: number;
  readonly whole: boolean;
  /** Beside the places. */
  readonly labels: readonly (string | undefined)[];
  /** Lines below the column. */
  readonly captions: readonly string[];
  /** Whether only some connections into it exist. */
  readonly sparse: boolean;
  /** Whether it is the output, whose weights are random. */
  readonly random: boolean;
}

/** Units of a layer that are drawn, the ellipsis among them. */
const MOST_DRAWN = 6;

/** Inputs, hidden layers and outputs as columns, from left to right. */
export function diagramColumns(
  { layers, link, inputs, classes }: DiagramSource,
  { inputNames = [], outputNames = [] }: DiagramOptions,
): DiagramColumn[] {
  const count = inputs ?? (inputNames.length > 0 ? inputNames.length : undefined);
  const outputs = link === "softmax" ? (classes ?? outputNames.length) || undefined : 1;
  return [
    units("inputs", count, [plural(count, "input")], { names: inputNames }),
    ...layers.map(hiddenColumn),
    units("f", outputs, [link === "identity" ? "f" : `f, ${link}`, plural(outputs, "output")], {
      names: outputNames,
      random: true,
    }),
  ];
}

function hiddenColumn(layer: DiagramLayer): DiagramColumn {
  const { kind } = layer;
  if (kind === "dense" || kind === "masked-dense")
    return units(kind, layer.units, [plural(layer.units, "unit"), layer.activation ?? ""], {
      sparse: kind === "masked-dense",
    });
  const captions = [kind.replaceAll("-", " "), details(layer)];
  const shape = /^(convolution|conv)$|pool$/i.test(kind) ? "maps" : "box";
  return {
    shape,
    name: kind.replaceAll("-", " "),
    drawn: 1,
    whole: true,
    labels: [],
    captions: shape === "box" ? [captions[1]] : captions,
    sparse: false,
    random: false,
  };
}

/** What is worth a line below a layer that is no list of units. */
function details({ filters, kernel, rate }: DiagramLayer): string {
  const size = typeof kernel === "number" ? [kernel, kernel] : kernel;
  const parts = [
    filters === undefined ? "" : `${filters} filters`,
    size ? `${size[0]}×${size[1]}` : "",
    rate === undefined ? "" : `${rate}`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

interface UnitOptions {
  readonly names?: readonly string[];
  readonly sparse?: boolean;
  readonly random?: boolean;
}

function units(
  name: string,
  count: number | undefined,
  captions: readonly string[],
  { names = [], sparse = false, random = false }: UnitOptions = {},
): DiagramColumn {
  const whole = count !== undefined && count <= MOST_DRAWN;
  const drawn = whole ? Math.max(1, count) : MOST_DRAWN;
  const labels = Array.from({ length: drawn }, (_, i) =>
    // Below the ellipsis stands the last one.
    !whole && i === drawn - 1 && count !== undefined ? names[count - 1] : names[i],
  );
  return { shape: "units", name, drawn, whole, labels, captions, sparse, random };
}

function plural(count: number | undefined, what: string): string {
  if (count === undefined) return `${what}s`;
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
