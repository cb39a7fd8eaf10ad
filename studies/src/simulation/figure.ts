import type { CellSummary } from "./summary.ts";

/** A line of the figure: medians at some numbers of rows. */
interface Line {
  readonly name: string;
  readonly colour: string;
  readonly dash: string;
  readonly points: readonly (readonly [rows: number, area: number])[];
}

const WIDTH = 860;
const HEIGHT = 340;
const PANEL = { width: 320, height: 220, top: 48 };
const LEFTS = [58, 480];
const SIZES = [3000, 10_000, 30_000, 100_000];
const LOWEST = 0.5;

/** Medians printed in the paper's Tables 1 and 2, at the four sizes. */
const published = {
  regression: { rate: [0.8, 0.9, 0.94, 0.97], best: [0.84, 0.94, 0.96, 0.97] },
  classification: { rate: [0.53, 0.77, 0.89, 0.93], best: [0.53, 0.79, 0.9, 0.94] },
} as const;

/** The paper's Figure of ROC areas against n: its own numbers beside ours, as an SVG file. */
export function areasFigure(summaries: readonly CellSummary[]): string {
  const panels = (["regression", "classification"] as const).map((task, at) =>
    panel(task, LEFTS[at], linesOf(task, summaries)),
  );
  const legend = linesOf("regression", summaries).map(({ name, colour, dash }, i) => {
    const x = LEFTS[i % 2];
    const y = PANEL.top + PANEL.height + 44 + Math.floor(i / 2) * 20;
    return `<line x1="${x}" y1="${y}" x2="${x + 28}" y2="${y}" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"/><text x="${x + 36}" y="${y + 4}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="13" fill="#333">
<title>How well rankings find the 30 causal of 100 variables, by the number of rows</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${panels.join("\n")}
${legend.join("\n")}
</svg>
`;
}

function linesOf(task: "regression" | "classification", summaries: readonly CellSummary[]): Line[] {
  const median = (recipe: string, pick: (summary: CellSummary) => number): Line["points"] =>
    SIZES.flatMap((rows) => {
      const found = summaries.find(({ cell }) => cell === `${recipe} ${task} ${rows}`);
      return found ? [[rows, pick(found)] as const] : [];
    });
  const printed = (values: readonly number[]): Line["points"] =>
    values.map((area, i) => [SIZES[i], area] as const);
  return [
    {
      name: "the paper's RATE, as published",
      colour: "#7f7f7f",
      dash: "2 4",
      points: printed(published[task].rate),
    },
    {
      name: "the paper's best other method, as published",
      colour: "#7f7f7f",
      dash: "8 4",
      points: printed(published[task].best),
    },
    {
      name: "direct importance, one network, standard recipe",
      colour: "#0072b2",
      dash: "none",
      points: median("standard", ({ one }) => one.full),
    },
    {
      name: "direct importance, five networks",
      colour: "#d55e00",
      dash: "none",
      points: median("standard", ({ ensemble }) => ensemble.full),
    },
  ];
}

function panel(task: string, left: number, lines: readonly Line[]): string {
  const { width, height, top } = PANEL;
  const x = (rows: number): number =>
    left + (width * Math.log(rows / SIZES[0])) / Math.log(SIZES[3] / SIZES[0]);
  const y = (area: number): number => top + height * (1 - (area - LOWEST) / (1 - LOWEST));
  const grid = [0.5, 0.6, 0.7, 0.8, 0.9, 1].map(
    (area) =>
      `<line x1="${left}" x2="${left + width}" y1="${y(area)}" y2="${y(area)}" stroke="#ddd"/><text x="${left - 8}" y="${y(area) + 4}" text-anchor="end">${area}</text>`,
  );
  const ticks = SIZES.map(
    (rows) =>
      `<text x="${x(rows)}" y="${top + height + 18}" text-anchor="middle">${rows.toLocaleString("en")}</text>`,
  );
  const drawn = lines.map(({ colour, dash, points }) => {
    const path = points.map(([rows, area]) => `${x(rows).toFixed(1)},${y(area).toFixed(1)}`);
    const dots = points.map(
      ([rows, area]) =>
        `<circle cx="${x(rows).toFixed(1)}" cy="${y(area).toFixed(1)}" r="3.5" fill="${colour}"/>`,
    );
    return `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"/>${dots.join("")}`;
  });
  const title = `<text x="${left}" y="${top - 22}" font-weight="600">${task}: area under the ROC curve by rows</text>`;
  return [title, ...grid, ...ticks, ...drawn].join("\n");
}
