import { realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { RatewiseError } from "@ratewise/core";
import type { DetectOptions, OnnxNetwork } from "@ratewise/onnx";
import type { Io } from "../io.ts";

/** Whether --model names a network of somebody else's. */
export function isNetworkFile(path: string | undefined): path is string {
  return path !== undefined && /\.onnx$/i.test(path);
}

/** Opens an ONNX file, with the weights that lie beside it. */
export async function openNetworkFile(
  path: string,
  io: Io,
  options: DetectOptions = {},
): Promise<OnnxNetwork> {
  const { openNetwork } = await import("@ratewise/onnx");
  return openNetwork(await io.readFile(path), { ...options, ...besideOf(path, io) });
}

/** How a model's other files are read: names that lead out of its folder, links included, are refused. */
export function besideOf(
  path: string,
  io: Io,
): { where: string; readBeside: (location: string) => Promise<Uint8Array> } {
  return {
    where: path,
    readBeside: async (location) => {
      const target = join(dirname(path), location);
      const folder = await realpath(dirname(path));
      let real = target;
      try {
        real = await realpath(target);
      } catch {
        // Not there: reading it says so.
      }
      if (real !== target && !real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
        throw new RatewiseError(
          "domain",
          `the weights "${location}" are a link out of the model's folder; that is not read`,
          { location },
        );
      return io.readFile(target);
    },
  };
}
