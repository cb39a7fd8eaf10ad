import { RatewiseError } from "../errors.ts";
import type { Engine } from "./contract.ts";
import { relaxedSimdRuns } from "./kernel-build.ts";
import { naive } from "./naive.ts";
import { wasmEngine } from "./wasm.ts";

const registered = new Map<string, () => Engine>([
  ["naive", () => naive],
  ["plain", () => wasmEngine("plain")],
  ["relaxed", () => wasmEngine("relaxed")],
]);
let current: Engine | undefined;

/** Makes an engine available under `name`; `make` runs when it is first used. */
export function registerEngine(name: string, make: () => Engine): void {
  registered.set(name, make);
}

/** The engines that can be asked for by name; relaxed SIMD is left out where the machine lacks it. */
export function engineNames(): string[] {
  return [...registered.keys()].filter((name) => name !== "relaxed" || relaxedSimdRuns());
}

/** The engine that `linalg` runs on now: the best build of our own kernels unless another was chosen. */
export function engine(): Engine {
  current ??= wasmEngine(relaxedSimdRuns() ? "relaxed" : "plain");
  return current;
}

/** Chooses the engine for everything that follows in this thread. */
export function useEngine(name: string): Engine {
  const make = registered.get(name);
  if (!make)
    throw new RatewiseError("engine", {
      in: "useEngine",
      what: `no engine "${name}" on this machine`,
      advice: `choose one of ${engineNames().join(", ")}${name === "native" ? ", and native after registerNative() of @ratewise/native if OpenBLAS is installed" : ""}`,
      name,
    });
  current = make();
  return current;
}

/** Does `work` on an engine, and goes back to the one before. */
export async function withEngine<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const before = engine().name;
  useEngine(name);
  try {
    return await work();
  } finally {
    useEngine(before);
  }
}
