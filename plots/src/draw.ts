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
  const ground = page.createElementNS(NAMESPACE, "rect");
  const whole = { width: "100%", height: "100%", fill: palette.background };
  for (const [name, value] of Object.entries(whole)) ground.setAttribute(name, value);
  // Names of kinds of marks: not for readers of the page, whom the title serves.
  for (const group of svg.querySelectorAll("[aria-label]")) {
    group.setAttribute("class", group.getAttribute("aria-label")!.replaceAll(" ", "-"));
    group.removeAttribute("aria-label");
  }
  // Plot's own style sheet only concerns pages that reset others' styles; two figures in one page would repeat it.
  svg.querySelector("style")?.remove();
  svg.prepend(ground);
  // Put in as text: the document of Node takes a title for HTML's and leaves it unescaped.
  return `${svg.outerHTML.replace(/^<svg[^>]*>/, (start) => `${start}<title>${escapeText(description)}</title>`)}\n`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
