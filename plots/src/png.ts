import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";

export interface PngOptions {
  /** Pixels for every pixel of the SVG, default 2. */
  readonly scale?: number;
}

const FONT = join(import.meta.dirname, "../fonts/DejaVuSans.ttf");
/** Signs that the shipped font has not; for them the system's fonts are looked through. */
const NOT_SHIPPED =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** A figure as a picture. The letters are those of a font that comes along, so the bytes do not depend on the machine. */
export function figurePng(svg: string, { scale = 2 }: PngOptions = {}): Uint8Array {
  const rendered = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: {
      fontFiles: [FONT],
      loadSystemFonts: NOT_SHIPPED.test(svg),
      defaultFontFamily: "DejaVu Sans",
      sansSerifFamily: "DejaVu Sans",
    },
  }).render();
  return new Uint8Array(rendered.asPng());
}
