import { type Matrix, matrix, RatewiseError } from "@ratewise/core";
import { readNpy, textVariables } from "@ratewise/core/data";
import { columnsInTableUnits, readSaliencyModel, type SaliencyModel } from "@ratewise/core/explain";
import { didYouMean } from "@ratewise/core/words";
import { readBytes, within } from "@ratewise/files";
import type { Io } from "../io.ts";
import { usageError } from "../options/options.ts";
import { readTable } from "./read-table.ts";

/** The networks of --model. */
export async function readNetworks(path: string, io: Io): Promise<SaliencyModel> {
  return readSaliencyModel(await io.readFile(path), path);
}

/** A class by its name, or by its number where no class has that name. */
export function classIndex(
  { networks, classes }: SaliencyModel,
  text: string | undefined,
): number | undefined {
  if (text === undefined) return undefined;
  const { link } = networks[0].architecture;
  if (link === "identity")
    throw usageError("saliency", "--class needs a classification, got a model of numbers");
  const named = classes?.indexOf(text) ?? -1;
  if (named >= 0) return named;
  const count = link === "softmax" ? networks[0].architecture.classes! : 2;
  if (/^\d+$/.test(text) && Number(text) < count) return Number(text);
  throw usageError(
    "saliency",
    `--class needs ${classes ? `${classes.slice(0, 10).join(" or ")}, or ` : ""}a number from 0 to ${count - 1}, got "${text}"${didYouMean(text, classes ?? [])}`,
  );
}

/** The rows to explain, in the columns of the model. */
export async function readRows(path: string, model: SaliencyModel, io: Io): Promise<Matrix> {
  if (/\.npy(\.gz)?$/i.test(path)) return readArray(path, model, io);
  const { encoding } = model;
  if (!encoding)
    throw new RatewiseError("file", {
      at: path,
      what: "a single network needs an array, X.npy",
      path,
    });
  const categories = new Set(textVariables(encoding));
  const table = await readTable(path, io, { categories });
  return within(path, () => columnsInTableUnits(encoding, table));
}

async function readArray(path: string, { columns }: SaliencyModel, io: Io): Promise<Matrix> {
  const { bytes } = await readBytes(path, io);
  return within(path, () => {
    const { data, shape } = readNpy(bytes);
    if (shape.length !== 2 || !ArrayBuffer.isView(data))
      throw new RatewiseError("shape", {
        what: `needs numbers in rows and columns, got ${ArrayBuffer.isView(data) ? `shape (${shape.join(", ")})` : "texts"}`,
      });
    if (shape[1] !== columns.length)
      throw new RatewiseError("shape", {
        what: `needs ${columns.length} columns (${columns.slice(0, 5).join(", ")}${columns.length > 5 ? ", …" : ""}), got ${shape[1]}`,
      });
    return matrix(shape[0], shape[1], Float64Array.from(data as Float64Array, Number));
  });
}
