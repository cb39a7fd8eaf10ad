import type { Io } from "../io.ts";
import { usageError } from "./options.ts";

/** Where what runs on a cluster is kept: `--store`, or RATEWISE_STORE. */
export function storeOption(command: string, store: string | undefined, io: Io): string {
  const location = store ?? io.environment.RATEWISE_STORE;
  if (location) return location;
  throw usageError(
    command,
    "needs --store <folder or s3://bucket/prefix>, or RATEWISE_STORE in the environment",
  );
}
