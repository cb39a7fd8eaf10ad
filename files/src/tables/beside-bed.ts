import { RatewiseError } from "@ratewise/core";
import { decodeText } from "../decode-text.ts";
import { type FileAccess, readBytes } from "../file-access.ts";
import { within } from "../within.ts";

/** The .fam or the .bim of a .bed file: its name, and what it says. Where it is missing, the error names the .bed file too. */
export async function readBesideBed(
  bed: string,
  extension: ".bim" | ".fam",
  files: Pick<FileAccess, "readFile">,
): Promise<{ readonly name: string; readonly text: string }> {
  const name = bed.replace(/\.bed$/i, extension);
  try {
    const { bytes } = await readBytes(name, files);
    return { name, text: within(name, () => decodeText(bytes)) };
  } catch (error) {
    if (!(error instanceof RatewiseError) || error.details.code !== "ENOENT") throw error;
    throw new RatewiseError(error.code, {
      ...error.details,
      ...error.parts,
      advice: `${bed} needs a .bim and a .fam of the same name beside it`,
      cause: error,
    });
  }
}
