import { RatewiseError } from "@ratewise/core";
import { type TaskData, taskId } from "@ratewise/core/parallel";
import { blobName, resultName, taskName } from "./names.ts";
import { type KnownHashes, packPayload, packResult, unpackPayload, unpackResult } from "./pack.ts";
import type { Store } from "./store.ts";

/** The engine that the driver wants a task to run on; a part of the payload, and so of the task's name. */
export function engineOf({ payload }: TaskData): string | undefined {
  const { engine } = (payload ?? {}) as { engine?: unknown };
  return typeof engine === "string" ? engine : undefined;
}

/**
 * Writes what a worker needs to know of a task; blobs that lie there already are not written again. Whoever resumes the run writes it again, so
 * it need not outlive a power cut. @returns its bytes, without the arrays that lie apart
 */
export async function writeTask(
  store: Store,
  id: string,
  { kind, payload }: TaskData,
  shared: SharedArrays,
): Promise<number> {
  const putBlob = async (hash: string, bytes: Uint8Array): Promise<void> => {
    const before = shared.puts.get(hash);
    if (before) return before;
    const put = async (): Promise<void> => {
      if (await store.has(blobName(hash))) return;
      await store.put(blobName(hash), bytes, { durable: false });
    };
    shared.bytes[hash] = bytes.length;
    const putting = put();
    shared.puts.set(hash, putting);
    return putting;
  };
  const packed = await packPayload({ kind, payload }, putBlob, shared.hashes);
  await store.put(taskName(id), packed, { durable: false });
  return packed.length;
}

/** Arrays that several tasks of one call have: each is hashed and written once. */
export interface SharedArrays {
  readonly hashes: KnownHashes;
  readonly puts: Map<string, Promise<void>>;
  /** Of each array by its hash, whether it lay there before or not. */
  readonly bytes: Record<string, number>;
}

/** The task of that id; throws where it is not there, or not what its id says. */
export async function readTask(
  store: Store,
  id: string,
  getBlob: (hash: string) => Promise<Uint8Array | undefined>,
): Promise<TaskData> {
  const bytes = await store.get(taskName(id));
  if (!bytes) throw refusal(id, `is not in ${store.location}; is the driver's store the same?`);
  let task: TaskData;
  try {
    task = (await unpackPayload(bytes, async (hash) => {
      const blob = await getBlob(hash);
      if (!blob) throw new Error(`its array ${hash} is missing`);
      return blob;
    })) as TaskData;
    if (typeof task?.kind !== "string") throw new Error("it has no kind");
  } catch (error) {
    throw refusal(id, `cannot be read: ${(error as Error).message}`);
  }
  // The id is a hash of version, kind and payload: what passes is what the driver wrote, down to the last bit.
  if (taskId(task) !== id) throw refusal(id, "is not what its id says");
  return task;
}

export async function writeResult(store: Store, id: string, result: unknown): Promise<number> {
  const bytes = packResult(result);
  await store.put(resultName(id), bytes);
  return bytes.length;
}

/** The result of a task that is done. One that is damaged is taken away, and the task is not done. */
export async function readResult(
  store: Store,
  id: string,
): Promise<{ readonly value: unknown; readonly bytes: number } | undefined> {
  const bytes = await store.get(resultName(id));
  if (!bytes) return undefined;
  const result = unpackResult(bytes);
  if (result) return { ...result, bytes: bytes.length };
  await store.remove(resultName(id));
  return undefined;
}

function refusal(id: string, why: string): RatewiseError {
  return new RatewiseError("parse", {
    in: "readTask",
    what: `task ${id.slice(0, 12)} ${why}`,
    id,
    refused: true,
  });
}
