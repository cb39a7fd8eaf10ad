import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { parentPort, Worker } from "node:worker_threads";
import { RatewiseError } from "../errors.ts";
import type { Sha256 } from "./sha256-script.ts";
import type { OwnerLink, WorkerEvents, WorkerLink } from "./worker-link.ts";

export { openFile, openScratch, realPath } from "./node-file.ts";

/** How many workers are worth starting on this machine. */
export function cores(): number {
  return availableParallelism();
}

/**
 * Asks the runtime for relaxed SIMD, which Node 20 has behind a flag. The flag holds for modules
 * compiled from now on, in workers too; later Nodes do not know it and need nothing.
 * @returns whether something was changed, so that looking again is worth it.
 */
export function enableRelaxedSimd(): boolean {
  if (!process.versions.node.startsWith("20.")) return false;
  setFlagsFromString("--experimental-wasm-relaxed-simd");
  return true;
}

/**
 * Starts a worker on `entry`, a compiled module: by default the core's own worker.js.
 *
 * The caller may block right after this returns. Measured on Node 20.20: a `new Worker` whose owner
 * goes straight into Atomics.wait still loads its modules from file: addresses (dynamic imports too),
 * runs, and receives messages posted before the owner blocked; the first Atomics.notify came back
 * 46 ms after `new Worker`. What waits for the owner's event loop is everything that comes to the
 * owner: messages (unless read with receiveMessageOnPort), the news of a death, and console output.
 */
export function spawnWorker(events: WorkerEvents, entry: URL = ownEntry()): WorkerLink {
  // No inherited flags: `--conditions @ratewise/source` would send the compiled entry to .ts files,
  // which threads of Node 20 cannot run. V8's own flags hold for the process, workers included.
  const worker = new Worker(entry, { execArgv: [] });
  let terminated = false;
  let reason = "";
  worker.on("message", events.onMessage);
  worker.on("messageerror", (error) => {
    reason = error.message;
    void worker.terminate();
  });
  worker.on("error", (error) => {
    reason = error instanceof Error ? error.message : String(error);
  });
  worker.on("exit", (code) => {
    if (!terminated) events.onDeath(reason || `it exited with code ${code}`);
  });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => {
      terminated = true;
      void worker.terminate();
    },
    holdProcess: (hold) => (hold ? worker.ref() : worker.unref()),
  };
}

/** Called once in a worker's entry: listens to the owner, and gives the way to answer. */
export function connectToOwner(onMessage: (message: unknown) => void): OwnerLink {
  const port = parentPort;
  if (!port)
    throw new RatewiseError("worker", {
      in: "connectToOwner",
      what: "needs a worker, got the main thread",
    });
  port.on("message", onMessage);
  return { post: (message, transfer) => port.postMessage(message, transfer) };
}

/** OpenSSL refuses 2³¹ bytes and more in one update. */
const UPDATE_BYTES = 2 ** 30;

export function createSha256(): Sha256 {
  const hash = createHash("sha256");
  return {
    update: (bytes) => {
      for (let from = 0; from < bytes.length; from += UPDATE_BYTES)
        hash.update(bytes.subarray(from, from + UPDATE_BYTES));
    },
    hex: () => hash.digest("hex"),
  };
}

/** worker.js beside the compiled code; run from source, that of the last build. */
function ownEntry(): URL {
  const compiled = !import.meta.url.endsWith(".ts");
  const entry = new URL(compiled ? "../worker.js" : "../../dist/worker.js", import.meta.url);
  if (!existsSync(entry))
    throw new RatewiseError("worker", {
      in: "spawnWorker",
      what: `needs ${entry.pathname}, which is not there`,
      advice: "build it with npm run build",
      entry: entry.href,
    });
  return entry;
}
