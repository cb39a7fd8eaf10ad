import { tmpdir } from "node:os";
import { join } from "node:path";
import { quoted, submitArray } from "./slurm.ts";
import type { Store } from "./store.ts";

/**
 * Submits workers of a queue as elements of a Slurm array ("pilots"): for work in many small steps, which an array's half second a step would slow
 * down. `cores`: of each pilot, where it is to have more than Slurm gives by itself.
 */
export function submitPilots(
  store: Store,
  pilots: number,
  command: readonly string[],
  cores?: number,
): Promise<string> {
  const logs = store.location.startsWith("s3://") ? tmpdir() : store.location;
  return submitArray({
    name: "ratewise-pilot",
    elements: pilots,
    ...(cores !== undefined && { cores }),
    output: join(logs, "pilot-%A_%a.log"),
    script: `#!/bin/sh\nexec ${command.map(quoted).join(" ")}\n`,
  });
}
