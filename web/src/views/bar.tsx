import type { JSX } from "preact";

/** A bar of up to four letters' width; the number beside it says the same. */
export function Bar({ share, kind }: { share: number; kind: "marginal" | "direct" }): JSX.Element {
  const width = `${(4 * Math.max(0, Math.min(1, share))).toFixed(2)}em`;
  return <span class={`bar ${kind}`} aria-hidden="true" style={{ width }} />;
}
