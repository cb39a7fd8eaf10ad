import type { Diagnostic } from "@ratewise/core";
import type { SaliencyMethod, SaliencyOf } from "@ratewise/core/network";
import type { Io } from "../io.ts";
import { bar, paint } from "./bar.ts";
import { displayWidth, fit, pad, printable, wrap } from "./printable.ts";

/** What `ratewise saliency --json` prints; the matrix itself goes to --out. */
export interface SaliencyDocument {
  readonly kind: "saliency";
  readonly method: SaliencyMethod;
  readonly of: SaliencyOf;
  /** The class that was asked for; null for a regression, and for the default. */
  readonly class: string | null;
  readonly rows: number;
  readonly variables: readonly {
    readonly name: string;
    readonly rank: number;
    /** (1/n)Σ_i|S_ij|. */
    readonly meanAbsolute: number;
  }[];
  readonly diagnostics: readonly Diagnostic[];
  readonly seed: number;
  readonly engine: string;
  readonly version: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly dataHash: string;
}

const TOP = 20;
const LONGEST_NAME = 40;
const LONGEST_BAR = 40;

const METHODS: Readonly<Record<SaliencyMethod, string>> = {
  gradient: "Gradient",
  "gradient-x-input": "Gradient × input",
  "integrated-gradients": "Integrated gradients",
  lrp: "Relevance (ε-LRP)",
};

/** The largest mean absolute saliencies with bars. */
export function saliencyText(document: SaliencyDocument, numbers: boolean, io: Io): string {
  const width = Math.max(40, Math.min(io.columns, 120));
  const { method, rows } = document;
  const of = numbers ? "prediction" : document.of;
  const whose = document.class === null ? "" : ` of class ${printable(document.class)}`;
  const best = [...document.variables].sort((a, b) => a.rank - b.rank).slice(0, TOP);
  const names = best.map(({ name }) => fit(printable(name), LONGEST_NAME));
  const nameWidth = Math.max(displayWidth("column"), ...names.map(displayWidth));
  const barWidth = Math.max(0, Math.min(LONGEST_BAR, width - nameWidth - 20));
  const most = best[0]?.meanAbsolute || 1;
  const lines = best.map(({ rank, meanAbsolute }, i) => {
    const value = meanAbsolute.toPrecision(4);
    const drawn = paint(bar((meanAbsolute / most) * barWidth), io);
    return `${`${rank}`.padStart(4)}  ${pad(names[i], nameWidth)}  ${value.padEnd(10)}  ${drawn}`.trimEnd();
  });
  const more = document.variables.length - best.length;
  return `${[
    wrap(`${METHODS[method]} of the ${of}${whose} at ${rows} rows: mean of absolute values`, width),
    "",
    `rank  ${pad("column", nameWidth)}  mean`,
    ...lines,
    ...(more > 0 ? [`      … and ${more} more (--json has all)`] : []),
    ...(document.diagnostics.length > 0 ? ["", "To keep in mind:"] : []),
    ...document.diagnostics.map(({ message }) => wrap(`- ${printable(message)}`, width, "  ")),
  ].join("\n")}\n`;
}
