import { realpath } from "node:fs/promises";
import type { DetectOptions, OnnxNetwork, OpenOptions } from "@ratewise/onnx";
import type { Io } from "../io.ts";

/** Opens an ONNX file, with the weights that lie beside it. */
export async function openNetworkFile(
  path: string,
  io: Io,
  options: DetectOptions = {},
): Promise<OnnxNetwork> {
  const { openNetwork } = await import("@ratewise/onnx");
  return openNetwork(await io.readFile(path), { ...options, ...(await filesOf(path, io)) });
}

/** What errors call a model, and how its other files are read. */
export async function filesOf(
  path: string,
  io: Io,
): Promise<Required<Pick<OpenOptions, "where" | "readBeside">>> {
  const { besideOf } = await import("@ratewise/onnx");
  return { where: path, readBeside: besideOf(path, { readFile: io.readFile, realPath: realpath }) };
}
