import { RatewiseError } from "../errors.ts";
import { type OpenBytes, type ScratchBytes, scratchInMemory } from "./byte-source.ts";
import { createScriptSha256, type Sha256 } from "./sha256-script.ts";
import type { OwnerLink, WorkerEvents, WorkerLink } from "./worker-link.ts";

/** How many workers are worth starting on this machine. */
export function cores(): number {
  return navigator.hardwareConcurrency;
}

/** Browsers have relaxed SIMD or not; there is nothing to ask for. */
export function enableRelaxedSimd(): boolean {
  return false;
}

/**
 * Starts a module worker on `entry`, by default the core's own worker.js. Here a worker starts only
 * while its owner's event loop turns: await its first message before blocking on it.
 */
export function spawnWorker(events: WorkerEvents, entry?: URL): WorkerLink {
  const worker = entry
    ? new Worker(entry, { type: "module" })
    : // Bundlers find the worker by this literal form.
      new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  worker.onmessage = (event) => events.onMessage(event.data);
  // An uncaught error leaves a browser's worker running; to the pool it is a death, as in Node.
  const die = (reason: string): void => {
    worker.terminate();
    events.onDeath(reason);
  };
  worker.onmessageerror = () => die("a message could not be read");
  worker.onerror = (event) => {
    event.preventDefault();
    die(event.message || "its script could not be loaded");
  };
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    terminate: () => worker.terminate(),
    holdProcess: () => {},
  };
}

/** Called once in a worker's entry: listens to the owner, and gives the way to answer. */
export function connectToOwner(onMessage: (message: unknown) => void): OwnerLink {
  // In a worker the global is the port; the page's types have another postMessage.
  const port = globalThis as unknown as MessagePort;
  port.onmessage = (event) => onMessage(event.data);
  return { post: (message, transfer) => port.postMessage(message, [...transfer]) };
}

export function createSha256(): Sha256 {
  return createScriptSha256();
}

/** Pages know no paths. */
export async function openFile(path: string): Promise<OpenBytes> {
  throw new RatewiseError("file", {
    in: "openFile",
    what: `a page cannot open "${path}"`,
    advice: "use bytesOfBlob",
  });
}

/** Pages know no paths, so none is a link. */
export async function realPath(path: string): Promise<string> {
  return path;
}

/** In memory: pages have no disk of their own. */
export async function openScratch(size: number): Promise<ScratchBytes> {
  return scratchInMemory(size);
}
