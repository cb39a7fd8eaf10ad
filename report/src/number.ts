import { label } from "@ratewise/plots";
import { type Html, html } from "./html.ts";

/** The ways in which numbers are printed. */
export const formats = {
  /** A share: 48.5%; less than a tenth of a percent, but something: < 0.1%. */
  percent: (value: number): string =>
    value > 0 && value < 0.0005
      ? "< 0.1%"
      : `${(100 * value).toFixed(1)}%`.replace(/^-0\.0%$/, "0.0%").replace("-", "−"),
  /** A level that was chosen: 90%. */
  level: (value: number): string => `${Number((100 * value).toPrecision(6))}%`,
  count: (value: number): string => value.toLocaleString("en-US"),
  /** Four digits, as many as the eye takes in. */
  number: (value: number): string => {
    if (value === 0 || (Math.abs(value) >= 0.001 && Math.abs(value) < 1e6))
      return minus(`${Number(value.toPrecision(4))}`);
    return minus(value.toExponential(2));
  },
  /** An effect: its sign always, three digits. */
  signed: (value: number): string => `${value > 0 ? "+" : ""}${rounded(value, 3)}`,
  /** What stands after ±: two digits. */
  short: (value: number): string => rounded(value, 2),
  /** p- and q-values. */
  small: (value: number): string => (value < 0.001 ? value.toExponential(0) : value.toFixed(3)),
  /** A score without a unit: three decimals. */
  share: (value: number): string => minus(value.toFixed(3)),
  correlation: (value: number): string => minus(value.toFixed(2)),
} as const;

/** To so many digits, zeros at the end kept. */
function rounded(value: number, digits: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size < 0.001 || size >= 1e6) return minus(value.toExponential(digits - 1));
  const text = value.toPrecision(digits);
  return minus(text.includes("e") ? `${Math.round(value)}` : text);
}

/** The sign of a negative number as print has it; that of an exponent stays. */
function minus(text: string): string {
  return text.replace(/^-/, "−");
}

export type FormatName = keyof typeof formats;

/**
 * A number of the result as it is printed. The element carries the number itself, and where in result.json it
 * stands, so that a page can be checked against its file.
 */
export function number(from: string, value: number | null, as: FormatName): Html {
  if (value === null) return html`<span class="none">–</span>`;
  return html`<data value="${value}" data-from="${from}" data-as="${as}">${formats[as](value)}</data>`;
}

/** So many of something. */
export function counted(from: string, value: number, one: string, many: string): Html {
  return html`${number(from, value, "count")} ${value === 1 ? one : many}`;
}

/** A text of the result, word for word, however long it is. */
export function words(from: string, text: string): Html {
  return html`<span data-from="${from}">${whole(text)}</span>`;
}

/** As {@link shown}, to the end. */
export function whole(text: string): string {
  return label(text, Number.POSITIVE_INFINITY);
}

/** A name from the data: kept apart from the text around it, whatever direction its letters run. */
export function name(text: string): Html {
  return html`<bdi class="name">${breakable(shown(text))}</bdi>`;
}

/** Names up to this length stay in one line. */
const WHOLE = 12;

/** A long name may go on in the next line after a separator, rather than in the middle of a word. */
function breakable(text: string): Html {
  const parts = text.length > WHOLE ? text.split(/(?<=[_./:-])(?=[^_./:-])/) : [text];
  return html`${parts.map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)}`;
}

/** Control and invisible characters written out. */
export function shown(text: string): string {
  return label(text, 400);
}
