import {
  type DiagramColumn,
  type DiagramOptions,
  type DiagramSource,
  diagramColumns,
} from "./diagram-columns.ts";
import { escapeXml } from "./escape-xml.ts";

const GAP = 132;
const MARGIN = 96;
const TOP = 56;
const PITCH = 40;
const RADIUS = 13;
const FIXED = "#9aa5b1";
const RANDOM = "#d55e00";
const INK = "#333";

/**
 * The paper's Figure 1 for any network, as SVG text: inputs, hidden layers whose weights are fixed
 * numbers, and the output layer, whose weights carry the small bell curves of their distribution. Of a wide layer six
 * units are drawn and the number is written below. Names are escaped.
 */
export function architectureDiagram(source: DiagramSource, options: DiagramOptions = {}): string {
  const columns = diagramColumns(source, options);
  const most = Math.max(...columns.map(({ drawn }) => drawn));
  const middle = TOP + ((most - 1) * PITCH) / 2;
  const bottom = TOP + (most - 1) * PITCH + 44;
  const width = 2 * MARGIN + (columns.length - 1) * GAP;
  const height = bottom + 62;
  const placed = columns.map((column, at) => place(column, MARGIN + at * GAP, middle));
  const edges = placed.slice(1).map((to, at) => joined(placed[at], to, at === placed.length - 2));
  const title = escapeXml(
    options.title ?? "The network: fixed hidden weights, a distribution over the output weights",
  );
  const last = placed[placed.length - 1].x;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="${INK}" text-anchor="middle" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${edges.join("\n")}
${placed.map(drawColumn).join("\n")}
${placed.map((column) => caption(column, bottom)).join("\n")}
<text x="${(placed[0].x + last - GAP) / 2}" y="24" fill="#66707a">θ: point estimates</text>
<text x="${last - GAP / 2}" y="24" fill="${RANDOM}">w ~ N(m, V)</text>
</svg>
`;
}

interface Placed extends DiagramColumn {
  readonly x: number;
  /** Heights of the drawn units. */
  readonly ys: readonly number[];
}

function place(column: DiagramColumn, x: number, middle: number): Placed {
  const first = middle - ((column.drawn - 1) * PITCH) / 2;
  return { ...column, x, ys: Array.from({ length: column.drawn }, (_, i) => first + i * PITCH) };
}

/** Lines between two columns; those into the output carry bell curves. */
function joined(from: Placed, to: Placed, random: boolean): string {
  const colour = random ? RANDOM : FIXED;
  const dash = to.sparse ? ' stroke-dasharray="3 3"' : "";
  const reach = (column: Placed) => (column.shape === "units" ? RADIUS : 20);
  const lines: string[] = [];
  for (const [i, y1] of from.ys.entries()) {
    if (isGap(from, i)) continue;
    for (const [j, y2] of to.ys.entries()) {
      if (isGap(to, j)) continue;
      const [x1, x2] = [from.x + reach(from), to.x - reach(to)];
      lines.push(
        `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${random ? 1 : 0.7}"${dash}/>`,
      );
      if (random && j === firstUnit(to))
        lines.push(bell(x1 + 0.42 * (x2 - x1), y1 + 0.42 * (y2 - y1)));
    }
  }
  return lines.join("\n");
}

/** A density on its axis, 22 wide, on white. */
function bell(x: number, y: number): string {
  const path = `M${x - 11} ${y + 6}C${x - 4} ${y + 6} ${x - 4} ${y - 9} ${x} ${y - 9}C${x + 4} ${y - 9} ${x + 4} ${y + 6} ${x + 11} ${y + 6}`;
  return `<path d="${path}Z" fill="#fff" stroke="${RANDOM}" stroke-width="1.2"/>`;
}

function drawColumn(column: Placed): string {
  const { x, ys, shape, labels, name } = column;
  if (shape === "box") {
    const [y] = ys;
    return `<rect x="${x - 20}" y="${y - 66}" width="40" height="132" rx="6" fill="#eef1f4" stroke="${INK}"/><text transform="translate(${x + 4} ${y}) rotate(-90)">${escapeXml(clipped(name, 20))}</text>`;
  }
  if (shape === "maps") {
    const [y] = ys;
    const squares = [-12, -4, 4].map(
      (shift) =>
        `<rect x="${x + shift - 12}" y="${y + shift - 20}" width="28" height="40" fill="#e6f0fa" stroke="#0072b2"/>`,
    );
    return squares.join("");
  }
  return ys
    .map((y, i) => {
      if (isGap(column, i)) return `<text x="${x}" y="${y + 5}" font-size="18">⋮</text>`;
      const label = labels[i];
      const circle = `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${column.random ? "#fdeee3" : "#fff"}" stroke="${column.random ? RANDOM : INK}" stroke-width="1.4"/>`;
      if (label === undefined) return circle;
      const anchor = column.random
        ? `x="${x + 20}" text-anchor="start"`
        : `x="${x - 20}" text-anchor="end"`;
      return `${circle}<text ${anchor} y="${y + 4}">${escapeXml(clipped(label, 11))}</text>`;
    })
    .join("\n");
}

function caption({ x, captions }: Placed, y: number): string {
  return captions
    .map((line, i) => `<text x="${x}" y="${y + 16 * i}">${escapeXml(clipped(line, 22))}</text>`)
    .join("");
}

/** The place of the ellipsis of a layer that is not drawn whole. */
function isGap({ whole, drawn, shape }: DiagramColumn, at: number): boolean {
  return shape === "units" && !whole && at === drawn - 2;
}

function firstUnit(column: Placed): number {
  return isGap(column, 0) ? 1 : 0;
}

function clipped(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
