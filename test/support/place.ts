import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

/** Runs a program and waits. Both its streams go to one file, so that they come back in order, as in a terminal. */
export function run(
  program: string,
  parameters: readonly string[],
  place: Place,
): Promise<{ code: number | null; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "ratewise-output-"));
  const file = join(folder, "output");
  const target = openSync(file, "a");
  return new Promise<number | null>((resolve, reject) => {
    spawn(program, parameters, {
      cwd: place.folder,
      env: place.environment,
      stdio: ["ignore", target, target],
      timeout: 120_000,
    })
      .on("error", reject)
      .on("close", resolve);
  })
    .then((code) => ({ code, output: readFileSync(file, "utf8") }))
    .finally(() => {
      closeSync(target);
      rmSync(folder, { recursive: true });
    });
}
