import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type ExitCode, runCommandLine } from "../../src/command-line.ts";
import type { Io } from "../../src/io.ts";
import { nodeIo } from "../../src/node-io.ts";

export interface Outcome {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with real files and everything printed kept. */
export async function run(argv: readonly string[], changes: Partial<Io> = {}): Promise<Outcome> {
  let out = "";
  let err = "";
  const io: Io = {
    ...nodeIo(),
    out: async (text) => {
      out += text;
    },
    err: (line) => {
      err += `${line}\n`;
    },
    // Where progress goes is no matter of the clock of a busy machine: the line is there, and nobody reads it.
    liveLine: () => {},
    isTTY: false,
    columns: 80,
    environment: {},
    ...changes,
  };
  return { code: await runCommandLine(argv, io), out, err };
}

/** A folder of its own for a test file, gone afterwards. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ratewise-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
