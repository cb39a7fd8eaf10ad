import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Columns from which on what a stage leaves behind is worth a collection of its own. */
const MANY = 100_000;

/**
 * Collects what the stage before has left, between the stages of a run over many columns: the runtime would let it lie until it
 * wants the room itself, and --memory counts it until then.
 */
export function collectAfterStage(columns: number): void {
  if (columns < MANY) return;
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
