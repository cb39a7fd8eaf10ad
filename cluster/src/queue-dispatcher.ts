import type { Dispatcher, DispatcherEvents, Inspection } from "./dispatcher.ts";
import { ATTEMPTS, type JobData } from "./perform.ts";
import { isAway, openEvents, openQueue, type QueueEngine } from "./queue.ts";
import { jobIdOf, taskOfJob } from "./queue-names.ts";

/** Jobs added in one call, and looked at at once. */
const CHUNK = 500;

/** Between tries to reach a server that is away. */
const AWAY_MS = 1000;

/** BullMQ on Redis, Valkey or PostgreSQL. */
export async function queueDispatcher(
  engine: QueueEngine,
  name: string,
  run: string,
  { onSettled, onProgress, onTrouble }: DispatcherEvents,
): Promise<Dispatcher> {
  const queue = await openQueue(engine, name);
  const events = await openEvents(engine, name);
  let away = false;
  const trouble = (error: Error): void => {
    if (!away) onTrouble("engine-away", `${engine.on} is away: ${error.message || error}`);
    away = true;
  };
  const back = (): void => {
    if (away) onTrouble("engine-back", `${engine.on} is back`);
    away = false;
  };
  /** Redis' client waits for its server by itself, that of PostgreSQL fails: false when the server is away. */
  const orAway = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      back();
      return true;
    } catch (error) {
      if (!isAway(error as Error)) throw error;
      trouble(error as Error);
      return false;
    }
  };
  queue.on("error", trouble);
  events.on("error", trouble);
  const settled = ({ jobId }: { jobId: string }): void => {
    back();
    const id = taskOfJob(run, jobId);
    if (id !== undefined) onSettled(id);
  };
  events.on("completed", settled);
  events.on("failed", settled);
  events.on("progress", ({ jobId, data }) => {
    const id = taskOfJob(run, jobId);
    if (id !== undefined && typeof data === "number") onProgress(id, data);
  });
  await queue.waitUntilReady();
  await events.waitUntilReady();

  return {
    async submit(jobs) {
      for (let from = 0; from < jobs.length; from += CHUNK) {
        const chunk = jobs.slice(from, from + CHUNK).map((data: JobData) => ({
          name: data.kind,
          data,
          opts: {
            jobId: jobIdOf(data),
            attempts: ATTEMPTS,
            backoff: { type: "exponential", delay: 500 },
            removeOnComplete: true,
            removeOnFail: { age: 7 * 24 * 3600 },
          },
        }));
        // What was added before the connection broke is not added again: the ids are the same.
        while (!(await orAway(() => queue.addBulk(chunk))))
          await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      }
    },
    async inspect(ids): Promise<Inspection> {
      const lost: string[] = [];
      const failed = new Map<string, string>();
      const looked = await orAway(async () => {
        for (const id of ids.slice(0, CHUNK)) {
          const job = await queue.getJob(jobIdOf({ run, id }));
          if (!job) lost.push(id);
          else if (job.finishedOn !== undefined && job.failedReason)
            failed.set(id, job.failedReason);
        }
      });
      return looked ? { lost, failed } : { lost: [], failed: new Map() };
    },
    async withdraw(ids) {
      // Those that a worker has are locked, and stay.
      for (const id of ids) await queue.remove(jobIdOf({ run, id })).catch(() => {});
    },
    async cancel() {
      for (const job of await queue.getJobs(["wait", "delayed", "prioritized", "failed"]))
        if (job?.id && taskOfJob(run, job.id) !== undefined) await job.remove().catch(() => {});
    },
    async close() {
      await Promise.allSettled([events.close(), queue.close()]);
    },
  };
}
