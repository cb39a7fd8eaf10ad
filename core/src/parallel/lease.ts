import { RatewiseError } from "../errors.ts";
import type { PooledWorker } from "./pooled-worker.ts";
import type { Lease, ResidentKind } from "./resident.ts";

/** How long a released worker may take to return before it is ended. */
const GRACE_MS = 1000;

/** Sends `workers` into a resident job; each comes back through `give`, dead or alive. */
export function leaseFrom<Payload>(
  workers: readonly PooledWorker[],
  resident: ResidentKind<Payload>,
  payload: Payload,
  give: (worker: PooledWorker) => void,
): Lease {
  const count = workers.length;
  const inside = new Set(workers);
  const started: Promise<void>[] = [];
  const ended: Promise<void>[] = [];
  let released = false;

  for (const [index, worker] of workers.entries()) {
    let onEntered = (): void => {};
    const entered = new Promise<void>((resolve) => {
      onEntered = resolve;
    });
    const ending = worker.start({
      message: { type: "resident", kind: resident.kind, payload, index, count },
      transfer: [],
      onEntered,
    });
    const back = ending.then((ending) => {
      inside.delete(worker);
      give(worker);
      if (ending.type === "error")
        throw new RatewiseError(ending.error.code ?? "worker", {
          in: "lease",
          what: `resident ${index} ("${resident.kind}") failed: ${ending.error.message}`,
          ...ending.error.details,
          taskStack: ending.error.stack,
        });
      if (ending.type === "died" || (ending.type === "terminated" && !released))
        throw new RatewiseError("worker", {
          in: "lease",
          what: `the worker of resident ${index} ("${resident.kind}") ${ending.type === "died" ? `died: ${ending.reason}` : "was ended: the pool was closed"}`,
        });
    });
    started.push(Promise.race([entered, back]));
    ended.push(back);
  }

  const lease = {
    count,
    started: Promise.all(started).then(() => {}),
    ended: Promise.all(ended).then(() => {}),
    async release(): Promise<void> {
      if (!released) {
        released = true;
        resident.stop(payload);
        const end = (): void => {
          for (const worker of inside) worker.terminate();
        };
        const timer = setTimeout(end, GRACE_MS);
        await Promise.allSettled(ended);
        clearTimeout(timer);
      }
      return lease.ended;
    },
  };
  // Failures are the owner's to look at, and an owner that does not look is not at fault.
  lease.started.catch(() => {});
  lease.ended.catch(() => {});
  return lease;
}
