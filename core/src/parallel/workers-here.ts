import { cores } from "#host";

let inWorker = false;

/** From now on this thread is a worker of a pool. */
export function enterWorker(): void {
  inWorker = true;
}

/**
 * How many workers a computation in this thread may use: as many as there are cores, and none in a
 * worker, whose pool already fills the cores.
 */
export function workersHere(): number {
  return inWorker ? 0 : cores();
}
