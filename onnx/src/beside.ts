import { RatewiseError } from "@ratewise/core";
import { openFile, realPath } from "@ratewise/core/stream";
import type { ReadBeside } from "./external.ts";

/** How files are read, and where links lead: on a disk, or among dropped files. */
export interface NetworkFiles {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly realPath: (path: string) => Promise<string>;
}

/** The files of this machine. */
export const disk: NetworkFiles = {
  realPath,
  readFile: async (path) => {
    const file = await openFile(path);
    try {
      const bytes = new Uint8Array(file.size);
      await file.readInto(bytes, 0);
      return bytes;
    } finally {
      await file.close();
    }
  },
};

/** Reads the files of weights beside a model; a link that leads out of its folder is refused. */
export function besideOf(path: string, files: NetworkFiles = disk): ReadBeside {
  const folder = path.slice(0, 1 + Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
  return async (location) => {
    const parts = location.split("/").filter((part) => part !== "" && part !== ".");
    const target = folder + parts.join("/");
    const home = await files.realPath(folder || ".");
    let real = target;
    try {
      real = await files.realPath(target);
    } catch {
      // Not there: reading it says so.
    }
    if (real !== target && !real.startsWith(/[\\/]$/.test(home) ? home : home + separatorOf(real)))
      throw new RatewiseError("domain", {
        what: `the weights "${location}" are a link that leads out of the model's folder`,
        advice: "ratewise does not read it",
        location,
      });
    return files.readFile(target);
  };
}

function separatorOf(path: string): string {
  return path.includes("\\") ? "\\" : "/";
}
