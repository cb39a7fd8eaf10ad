import type { Progress } from "@ratewise/core";
import type { FolderFile } from "./atomic-folder.ts";

/** A file that is made when it is written: pages and pictures take their time, and the folder is told of one by one. */
export function made(path: string, make: () => string | Uint8Array): FolderFile {
  return {
    path,
    pieces: (function* () {
      yield make();
    })(),
  };
}

/** The same files, told of as they are written. */
export function* announced(
  files: readonly FolderFile[],
  onProgress: (event: Progress) => void,
): Generator<FolderFile> {
  for (const [done, file] of files.entries()) {
    onProgress({ phase: "write", done, total: files.length });
    yield file;
  }
  onProgress({ phase: "write", done: files.length, total: files.length });
}

/** Where the report is, and what lies beside it. */
export function writtenText(folder: string, files: readonly FolderFile[]): string {
  const names = new Set(files.map(({ path }) => path.split("/")[0]));
  names.delete("report.html");
  const beside = [...names].sort((a, b) => Number(a === "figures") - Number(b === "figures"));
  return `ratewise: the report is ${folder.replace(/\/+$/, "")}/report.html; beside it are ${beside.slice(0, -1).join(", ")} and ${beside.at(-1)}`;
}
