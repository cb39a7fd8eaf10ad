import { randomBytes } from "node:crypto";
import { RatewiseError } from "@ratewise/core";
import { folderStore } from "./folder-store.ts";
import { s3Store } from "./s3-store.ts";
import { getRecord, putRecord, type Store } from "./store.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A folder (`/shared/ratewise`) or a bucket (`s3://bucket/prefix`). The bucket's endpoint, region and keys come from the environment:
 * AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN.
 */
export function openStore(location: string, environment: Environment): Store {
  if (!/^[a-z0-9+]+:\/\//i.test(location)) return folderStore(location);
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][\w.-]*)(?:\/(.*?))?\/?$/.exec(location) ?? [];
  if (bucket === undefined)
    throw new RatewiseError("usage", {
      what: `--store needs a folder or s3://bucket/prefix without credentials, got "${withoutCredentials(location)}"`,
    });
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (!accessKeyId || !secretAccessKey)
    throw new RatewiseError("usage", {
      what: `--store ${location} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`,
    });
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? "us-east-1";
  const endpoint =
    environment.AWS_ENDPOINT_URL_S3 ??
    environment.AWS_ENDPOINT_URL ??
    `https://s3.${region}.amazonaws.com`;
  const sessionToken = environment.AWS_SESSION_TOKEN;
  return s3Store({
    bucket,
    prefix,
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  });
}

/** An address as it may be printed. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/@]*@/, "//…@");
}

/**
 * The name of a store, the same from every machine whatever path leads there: queues are named after it, so that a worker never gets the
 * tasks of another store. Made when it is first asked for; of two that make one at once, both read the one that stayed.
 */
export async function storeIdentity(store: Store): Promise<string> {
  const known = await getRecord<{ id: string }>(store, "store.json");
  if (known) return known.id;
  await putRecord(store, "store.json", { id: randomBytes(8).toString("hex"), format: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  return (await getRecord<{ id: string }>(store, "store.json"))!.id;
}
