import { barX, text } from "@observablehq/plot";
import { draw } from "./draw.ts";
import { label, labelRoom } from "./label.ts";
import { lightPalette } from "./palette.ts";
import type { FigureOptions } from "./predictions.ts";

/** What one method ranks first, best first, in shares of its whole. */
export interface TopNames {
  readonly method: string;
  readonly top: readonly {
    readonly name: string;
    readonly share: number;
    /** Whether it goes up or down with the response; null where the method does not say. */
    readonly direction: "up" | "down" | null;
  }[];
}

export interface TopNamesOptions extends FigureOptions {
  /** What up and down mean, for the key. */
  readonly up?: string;
  readonly down?: string;
}

const ROW = 24;
/** Letters of a name: more where one method has the figure to itself. */
const SHORT = 16;
const LONG = 48;

/** The first names of some methods side by side, with bars as long as their shares; colour and sign tell the direction. */
export function topNamesFigure(
  methods: readonly TopNames[],
  { palette = lightPalette, width = 760, up = "up", down = "down" }: TopNamesOptions = {},
): string {
  const panel = width / methods.length;
  const letters = methods.length === 1 ? LONG : SHORT;
  const directed = methods.some(({ top }) => top.some(({ direction }) => direction !== null));
  const room = Math.min(
    panel * 0.55,
    26 + labelRoom(methods.flatMap(({ top }) => top.map(({ name }) => label(name, letters)))),
  );
  const rows = Math.max(...methods.map(({ top }) => top.length));
  const colours = { up: palette.rate, down: palette.direct } as const;
  const signs = { up: "+", down: "−" } as const;
  const bars = methods.flatMap(({ top }, m) => {
    const most = Math.max(...top.map(({ share }) => share), 1e-12);
    return top.map(({ name, share, direction }, rank) => ({
      rank,
      start: m * panel + room,
      end: m * panel + room + (share / most) * (panel - room - (directed ? 16 : 56)),
      value: share.toPrecision(2),
      words: `${direction ? signs[direction] : " "} ${label(name, letters)}`,
      colour: direction ? colours[direction] : palette.ink,
    }));
  });
  const key = [
    { x: 0, words: `− ${down}`, fill: colours.down },
    { x: 24 + labelRoom([`− ${down}`]), words: `+ ${up}`, fill: colours.up },
  ];
  return draw({
    palette,
    description: methods
      .map(({ method, top }) => `${method}: ${top.map(({ name }) => name).join(", ")}`)
      .join("; "),
    width,
    height: 74 + ROW * rows,
    margin: 0,
    marginTop: 62,
    x: { axis: null, domain: [0, width], range: [0, width] },
    y: {
      axis: null,
      type: "band",
      domain: Array.from({ length: rows }, (_, k) => k),
      padding: 0.2,
    },
    marks: [
      barX(bars, { y: "rank", x1: "start", x2: "end", fill: "colour" }),
      text(bars, {
        y: "rank",
        x: ({ start }: { start: number }) => start - 6,
        text: "words",
        textAnchor: "end",
        fill: palette.ink,
      }),
      // Without directions the key leaves room for the numbers.
      text(directed ? [] : bars, {
        y: "rank",
        x: "end",
        dx: 6,
        text: "value",
        textAnchor: "start",
        fill: palette.ink,
      }),
      text(
        methods.map(({ method }, m) => ({ x: m * panel + room, words: label(method) })),
        {
          x: "x",
          frameAnchor: "top",
          dy: -14,
          text: "words",
          textAnchor: "start",
          fill: palette.ink,
          fontWeight: "bold",
        },
      ),
      ...(directed ? key : []).map(({ x, words, fill }) =>
        text([words], {
          frameAnchor: "top-left",
          dx: x + 8,
          dy: -46,
          textAnchor: "start",
          fill,
          fontWeight: "bold",
        }),
      ),
    ],
    color: { type: "identity" },
  });
}
