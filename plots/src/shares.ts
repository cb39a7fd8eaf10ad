import { axisX, dot, link, ruleX, text } from "@observablehq/plot";
import type { ExplainDocument } from "@ratewise/core/explain";
import { draw } from "./draw.ts";
import { label, labelRoom } from "./label.ts";
import { lightPalette, type Palette } from "./palette.ts";

export interface SharesOptions {
  readonly palette?: Palette;
  /** Rows drawn, best first by RATE, default 20; the five of the largest direct share are always among them. */
  readonly top?: number;
  readonly width?: number;
}

const MOST_USED = 5;
/** Below this width names are cut and the key has two lines. */
const NARROW = 480;

interface Shares {
  readonly name: string;
  readonly rank: number;
  readonly rate: number;
  readonly direct: number | null;
}

/** RATE and direct share of the leading variables, joined by a line: a long line is worth a look. */
export function importanceFigure(
  { variables, target }: Pick<ExplainDocument, "variables" | "target">,
  options: SharesOptions = {},
): string {
  return sharesFigure(`Importance of the variables for ${label(target)}`, variables, options);
}

/** The same for groups of variables. */
export function groupFigure(
  { groups, target }: Pick<ExplainDocument, "groups" | "target">,
  options: SharesOptions = {},
): string {
  return sharesFigure(`Importance of the groups for ${label(target)}`, groups, options);
}

function sharesFigure(
  description: string,
  rows: ExplainDocument["variables"] | ExplainDocument["groups"],
  { palette = lightPalette, top = 20, width = 720 }: SharesOptions,
): string {
  const narrow = width < NARROW;
  const leads = ({ rank, direct }: (typeof rows)[number]): boolean =>
    rank! <= top || (direct !== null && direct.rank <= MOST_USED);
  const shown: Shares[] = [...rows]
    .filter(leads)
    .sort((a, b) => a.rank! - b.rank!)
    .map(({ name, rank, rate, direct }) => ({
      name: narrow ? label(name, 20) : label(name),
      rank: rank!,
      rate: rate!,
      direct: direct?.rate ?? null,
    }));
  const both = shown.filter(({ direct }) => direct !== null);
  const room = labelRoom(shown.map(({ name }) => name));
  // On a phone a wide letter more would be cut off at the edge of the screen.
  const left = narrow ? Math.min(0.5 * width, 12 + 1.15 * room) : Math.min(260, 16 + room);
  const key = [
    { x: 0, y: -28, words: "● RATE: moves with the prediction", colour: palette.rate },
    narrow
      ? { x: 0, y: -12, words: "◆ direct: the model uses it", colour: palette.direct }
      : { x: 300, y: -28, words: "◆ direct: the model uses it", colour: palette.direct },
  ];
  return draw({
    palette,
    description,
    width,
    height: 96 + 24 * shown.length,
    marginLeft: left,
    marginTop: 46,
    marginBottom: 50,
    marginRight: 24,
    x: {
      domain: [0, Math.max(...shown.flatMap(({ rate, direct }) => [rate, direct ?? 0]), 1e-9)],
      nice: true,
    },
    y: {
      type: "band",
      domain: shown.map(({ rank }) => rank),
      label: null,
      tickFormat: (rank: number) => shown.find((row) => row.rank === rank)!.name,
      tickSize: 0,
    },
    marks: [
      axisX({
        anchor: "bottom",
        label: "share of the whole",
        tickFormat: "%",
        ticks: narrow ? 3 : 6,
      }),
      ruleX([0], { stroke: palette.faint }),
      link(both, { x1: "rate", x2: "direct", y: "rank", stroke: palette.faint, strokeWidth: 2 }),
      dot(both, { x: "direct", y: "rank", fill: palette.direct, symbol: "diamond", r: 5 }),
      dot(shown, { x: "rate", y: "rank", fill: palette.rate, r: 4 }),
      ...key.map(({ x, y, words, colour }) =>
        text([words], {
          frameAnchor: "top-left",
          // The key begins at the edge of a narrow figure, above the names.
          dx: narrow ? x - left + 8 : x,
          dy: y,
          fill: colour,
          fontWeight: "bold",
        }),
      ),
    ],
  });
}
