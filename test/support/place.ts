import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./repository.ts";

/** A temporary folder that looks like a project with ratewise installed. */
export interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

export function temporaryPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "ratewise-page-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    // Nothing else of the environment: a page must not need what this machine happens to have set.
    environment: {
      PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
      HOME: folder,
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs a program and waits; stdout and stderr come back together, in order, as in a terminal. */
export function run(
  program: string,
  parameters: readonly string[],
  place: Place,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd: place.folder,
      env: place.environment,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 120_000,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("error", reject).on("close", (code) => resolve({ code, output }));
  });
}
