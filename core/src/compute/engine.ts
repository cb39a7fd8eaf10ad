import { RatewiseError } from "../errors.ts";
import type { Engine } from "./contract.ts";
import { naive } from "./naive.ts";

const registered = new Map<string, () => Engine>([["naive", () => naive]]);
let current: Engine = naive;

/** Makes an engine available under `name`; `make` runs when it is first used. */
export function registerEngine(name: string, make: () => Engine): void {
  registered.set(name, make);
}

/** The engine that `linalg` runs on now. */
export function engine(): Engine {
  return current;
}

/** Chooses the engine for everything that follows in this thread. */
export function useEngine(name: string): Engine {
  const make = registered.get(name);
  if (!make)
    throw new RatewiseError(
      "engine",
      `useEngine: no engine "${name}" on this machine; there are ${[...registered.keys()].join(", ")}`,
      { name },
    );
  current = make();
  return current;
}
