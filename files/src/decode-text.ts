import { RatewiseError } from "@ratewise/core";

/** The longest text there can be, with room to spare. */
const MOST_BYTES = 500e6;

/** Text in UTF-8, with or without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > MOST_BYTES)
    throw new RatewiseError("memory", {
      what: `needs at most ${MOST_BYTES} bytes of text, got ${bytes.length}`,
      advice: "use .npz for data of this size",
    });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new RatewiseError("parse", { what: "needs text in UTF-8, got other bytes", cause });
  }
}
