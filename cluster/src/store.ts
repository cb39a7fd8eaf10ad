import { RatewiseError } from "@ratewise/core";

/**
 * Bytes under names, seen alike by the driver and by all workers: a shared folder, or a bucket of an S3-compatible storage. Whoever
 * looks sees nothing or the whole. It is the only copy of anything that matters: queues carry names alone.
 */
export interface Store {
  /** As others are to be told it; holds no credentials. */
  readonly location: string;
  get(name: string): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
  /** All of it or nothing. `durable` (the default): it outlives a power cut when this resolves. */
  put(name: string, bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<void>;
  /** Names that begin with `folder/`, in code-unit order. */
  list(folder: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

const NAME = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** Names come from jobs that anybody may have written: none may leave the store. */
export function checkName(name: string): string {
  if (NAME.test(name) && name.length < 400) return name;
  throw new RatewiseError("domain", {
    at: "store",
    what: `needs a name of letters, digits, ".", "_" and "-" with "/" between, got ${JSON.stringify(name.slice(0, 100))}`,
  });
}

const text = new TextEncoder();
const reader = new TextDecoder();

/** A record as JSON. Records tell what happened; results do not depend on them, so they need not be durable. */
export async function putRecord(store: Store, name: string, record: object): Promise<void> {
  await store.put(name, text.encode(`${JSON.stringify(record)}\n`), { durable: false });
}

/** The record of that name; undefined where there is none, or it cannot be read. */
export async function getRecord<Record_ extends object>(
  store: Store,
  name: string,
): Promise<Record_ | undefined> {
  const bytes = await store.get(name);
  if (!bytes) return undefined;
  try {
    return JSON.parse(reader.decode(bytes)) as Record_;
  } catch {
    return undefined;
  }
}
