import { RatewiseError, version } from "@ratewise/core";
import { readWorkers } from "./heartbeat.ts";
import type { Store } from "./store.ts";

/** Looks whether workers have the engines that tasks need. */
export type EngineWatch = (needed: ReadonlySet<string>) => Promise<void>;

/**
 * Workers that lack an engine leave such tasks to others: `say` is told of each once. Throws when all that are there lack it, since the tasks would
 * wait for ever.
 */
export function engineWatch(store: Store, say: (line: string) => void): EngineWatch {
  const told = new Set<string>();
  return async (needed) => {
    const workers = (await readWorkers(store)).filter(
      (worker) => worker.alive && worker.version === version,
    );
    for (const engine of needed) {
      const without = workers.filter(({ engines }) => !engines.includes(engine));
      if (without.length === 0) continue;
      if (without.length === workers.length)
        throw new RatewiseError("engine", {
          what: `needs a worker with the engine "${engine}", got ${without.map(({ worker, engines }) => `${worker} (${engines.join(", ")})`).join(", ")}`,
          advice: "install it there, or choose another --engine",
          engine,
          workers: without.map(({ worker }) => worker),
        });
      for (const { worker, engines } of without) {
        if (told.has(worker)) continue;
        told.add(worker);
        say(
          `worker ${worker} has no engine "${engine}" (it has ${engines.join(", ")}) and leaves such tasks to others`,
        );
      }
    }
  };
}
