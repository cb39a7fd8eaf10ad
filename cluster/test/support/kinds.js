/** Kinds of tasks for tests: they stop at gates, die, and fail when told to. */
import { existsSync, writeFileSync } from "node:fs";
import { engine } from "@ratewise/core";
import { defineTask } from "@ratewise/core/parallel";

/** Sums numbers: nothing can go wrong. */
export const sum = defineTask("test-sum", (/** @type {{ values: Float64Array }} */ { values }) => ({
  sum: values.reduce((total, value) => total + value, 0),
}));

/** Writes its pid to `began`, then waits until `gate` is there. */
export const gated = defineTask(
  "test-gated",
  async (/** @type {{ value: number, began: string, gate: string }} */ { value, began, gate }) => {
    writeFileSync(began, `${process.pid}`);
    while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
    return Float64Array.of(value, Math.sqrt(value));
  },
);

/** Kills its own process, every time, until the file `antidote` is there. */
export const poisoned = defineTask(
  "test-poisoned",
  (/** @type {{ antidote: string }} */ { antidote }) => {
    if (!existsSync(antidote)) process.kill(process.pid, "SIGKILL");
    return "cured";
  },
);

/** A result of 800 kB. */
export const large = defineTask("test-large", (/** @type {{ value: number }} */ { value }) =>
  new Float64Array(100_000).fill(value),
);

/** The engine it runs on. */
export const engineInUse = defineTask(
  "test-engine",
  (/** @type {{ engine?: string, k: number }} */ _payload) => engine().name,
);

export const kinds = [sum, gated, poisoned, large, engineInUse];
