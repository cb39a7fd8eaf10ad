import { RatewiseError, type RunOptions } from "@ratewise/core";

/** The bytes behind an address, told of as they arrive. */
export async function download(
  address: string,
  { signal, onProgress }: RunOptions = {},
): Promise<Uint8Array> {
  const phase = `fetch ${address.split("/").at(-1)}`;
  let response: Response;
  try {
    response = await fetch(address, { ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new RatewiseError("file", {
      at: "data get",
      what: `${address} cannot be reached (${reasonOf(error)})`,
      advice: "try again, or name a mirror with --from",
      address,
      cause: error,
    });
  }
  if (!response.ok)
    throw new RatewiseError("file", {
      at: "data get",
      what: `${address} answered ${response.status}`,
      advice: "try again later, or name a mirror with --from",
      address,
      status: response.status,
    });
  const total = Number(response.headers.get("content-length")) || 0;
  const pieces: Uint8Array[] = [];
  let done = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    done += piece.length;
    onProgress?.({ phase, done, total: Math.max(total, done) });
  }
  const bytes = new Uint8Array(done);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  onProgress?.({ phase, done, total: done });
  return bytes;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? message;
}
