import { createHash } from "node:crypto";
import type { EffectSizes } from "@ratewise/core";

/** A hash of what is ranked, the same from whichever kind of file it came. */
export function dataHash({ names, mean, factor, noise }: EffectSizes): string {
  const hash = createHash("sha256");
  hash.update(`effects ${factor.rows}×${factor.cols} ${noise ? "noise" : ""}\n`);
  for (const values of [mean, factor.data, noise])
    if (values) hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  for (const name of names) hash.update(`${JSON.stringify(name)}\n`);
  return `sha256:${hash.digest("hex")}`;
}
