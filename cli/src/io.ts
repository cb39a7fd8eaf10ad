import type { Progress } from "@ratewise/core";
import type { CommandResult } from "./command-result.ts";
import type { FolderFile } from "./output/atomic-folder.ts";
import type { KeepOptions, KeptWork } from "./output/kept-work.ts";

/** The outside world as commands see it, passed in so that a test can pass its own. */
export interface Io {
  /** The answer; resolves when the reader has taken it, so that a long one does not pile up. */
  readonly out: (text: string) => Promise<void>;
  /** Progress, warnings, errors: one line each. */
  readonly err: (line: string) => void;
  /** `-` is standard input. */
  readonly readFile: (path: string) => Promise<Uint8Array>;
  /** A file's size and its bytes as they are read. */
  readonly openFile: (
    path: string,
  ) => Promise<{ readonly bytes: number; readonly chunks: AsyncIterable<Uint8Array> }>;
  /** Says now, before the work, why `path` cannot be written. */
  readonly checkTarget: (path: string) => Promise<void>;
  /** All of it or nothing: on failure no file is left, and an old one stays as it was. */
  readonly writeFile: (path: string, pieces: Iterable<string | Uint8Array>) => Promise<void>;
  /** Says now why the folder may not be written; `force` lets it replace somebody's files. A study says its `command`. */
  readonly checkFolder: (path: string, force: boolean, command?: string) => Promise<void>;
  /** All files or none; whatever else is in the folder stays. Whether an earlier result of ours was replaced. */
  readonly writeFolder: (path: string, files: Iterable<FolderFile>) => Promise<boolean>;
  /** Where finished pieces of a long run lie until it is over; with `resume`, those of a run that was stopped. */
  readonly keepWork: (out: string, options: KeepOptions) => Promise<KeptWork>;
  /** Prints a line, made then, if the run is stopped before the function that comes back is called. Not where nothing can stop it. */
  readonly whenStopped?: (line: string | (() => string)) => () => void;
  /** Replaces the last line of stderr; null where that is no terminal. An empty text clears it. */
  readonly liveLine: ((text: string) => void) | null;
  /** For a host that shows progress in its own way: hears every event. */
  readonly onProgress?: (event: Progress) => void;
  /** For a host that shows results in its own way: hears what is about to be printed. */
  readonly onResult?: (result: CommandResult) => void;
  readonly isTTY: boolean;
  readonly columns: number;
  /** Bytes of memory that the machine, or the container, has. */
  readonly memory: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
