import { type PlotOptions, plot } from "@observablehq/plot";
import { drawingDocument } from "#document";
import type { Palette } from "./palette.ts";

export interface DrawOptions extends PlotOptions {
  readonly palette: Palette;
  /** What the figure shows, for those who do not see it. */
  readonly description: string;
}

const NAMESPACE = "http://www.w3.org/2000/svg";

/** A plot as the text of an SVG that stands alone; names in it are escaped. */
export function draw({ palette, description, ...options }: DrawOptions): string {
  const page = drawingDocument();
  const svg = plot({
    ...options,
    document: page,
    className: "ratewise-figure",
    style: { fontSize: "12px", color: palette.ink, background: "none", overflow: "visible" },
  });
  svg.setAttribute("xmlns", NAMESPACE);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", description);
  const title = page.createElementNS(NAMESPACE, "title");
  title.textContent = description;
  const ground = page.createElementNS(NAMESPACE, "rect");
  for (const [name, value] of Object.entries({
    width: "100%",
    height: "100%",
    fill: palette.background,
  }))
    ground.setAttribute(name, value);
  // Plot's own style sheet only concerns pages that reset others' styles; two figures in one page would repeat it.
  svg.querySelector("style")?.remove();
  svg.prepend(title, ground);
  return `${svg.outerHTML}\n`;
}
