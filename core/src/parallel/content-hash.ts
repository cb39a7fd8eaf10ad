import { createSha256 } from "#host";
import { writeCanonical } from "./canonical-bytes.ts";

/** `sha256:` and the hash of plain data, typed arrays by content: equal data has equal hashes anywhere. */
export function contentHash(value: unknown): string {
  const hash = createSha256();
  writeCanonical(value, hash.update, "contentHash", "value");
  return `sha256:${hash.hex()}`;
}
