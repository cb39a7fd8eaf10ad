import { tmpdir } from "node:os";
import { join } from "node:path";
import { quoted, submitArray } from "./slurm.ts";
import type { Store } from "./store.ts";

/** Submits workers of a queue as elements of a Slurm array ("pilots"): for work in many small steps, which an array's half second a step would slow down. */
export function submitPilots(
  store: Store,
  pilots: number,
  command: readonly string[],
): Promise<string> {
  const logs = store.location.startsWith("s3://") ? tmpdir() : store.location;
  return submitArray({
    name: "ratewise-pilot",
    elements: pilots,
    output: join(logs, "pilot-%A_%a.log"),
    script: `#!/bin/sh\nexec ${command.map(quoted).join(" ")}\n`,
  });
}
