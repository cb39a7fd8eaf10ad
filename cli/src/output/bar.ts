import type { Io } from "../io.ts";

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A share with four decimals, or its order of magnitude where those would be zeros. */
export function shareText(share: number): string {
  if (share === 0) return "0";
  return share < 0.0001 ? share.toExponential(0) : share.toFixed(4);
}

/** A horizontal bar of `length` columns, in eighths. */
export function bar(length: number): string {
  const whole = Math.floor(length);
  return "█".repeat(whole) + EIGHTHS[Math.floor((length - whole) * 8)];
}

/** Blue on a terminal, unless somebody asked for no colours (no-color.org). */
export function paint(text: string, { isTTY, environment }: Io): string {
  const plain = !isTTY || Boolean(environment.NO_COLOR) || environment.TERM === "dumb";
  return plain ? text : `\u001b[34m${text}\u001b[39m`;
}
