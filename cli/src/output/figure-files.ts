import { figurePng } from "@ratewise/plots/png";
import type { FolderFile } from "./atomic-folder.ts";
import { made } from "./folder-files.ts";

/** A figure as SVG and as PNG. */
export function figureFiles(name: string, draw: () => string): FolderFile[] {
  return [made(`figures/${name}.svg`, draw), made(`figures/${name}.png`, () => figurePng(draw()))];
}
