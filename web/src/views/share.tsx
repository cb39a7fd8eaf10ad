import type { JSX } from "preact";
import { percent } from "./number-text.ts";

/** A share as a number, with a bar in front of it as long as the share is beside `most`. */
export function Share({
  value,
  most,
  kind,
}: {
  value: number | null;
  most: number;
  kind: "rate" | "direct";
}): JSX.Element {
  const width = `${(100 * Math.max(0, Math.min(1, (value ?? 0) / most))).toFixed(1)}%`;
  return (
    <span class="share">
      <span class="track" aria-hidden="true">
        <span class={`bar ${kind}`} style={{ width }} />
      </span>
      <span class="number">{value === null ? "–" : percent(value)}</span>
    </span>
  );
}
