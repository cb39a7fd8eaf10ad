import { RatewiseError } from "../errors.ts";

/** Whole numbers `start ≤ i < end`: the rows or columns that a block covers. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `spans` (sorted, apart from each other) with one more; neighbours grow together. Overlap is an error. */
export function insertSpan(
  where: string,
  what: "rows" | "columns",
  spans: readonly Span[],
  span: Span,
): Span[] {
  const at = spans.findIndex((other) => other.end > span.start);
  const next = at < 0 ? undefined : spans[at];
  if (next && next.start < span.end) {
    const [from, to] = [Math.max(next.start, span.start), Math.min(next.end, span.end) - 1];
    throw new RatewiseError("domain", {
      in: where,
      what: `needs each of the ${what} once, got ${what} ${from} … ${to} a second time`,
      advice: "add every block once",
      of: what,
      from,
      to,
    });
  }
  const joined: Span[] = [];
  const place = at < 0 ? spans.length : at;
  for (const one of [...spans.slice(0, place), span, ...spans.slice(place)]) {
    const last = joined.at(-1);
    if (last?.end === one.start) joined[joined.length - 1] = { start: last.start, end: one.end };
    else joined.push(one);
  }
  return joined;
}

/** Throws, naming the first gap, unless the spans are exactly 0 … total − 1. */
export function checkCovered(
  where: string,
  what: "rows" | "columns",
  spans: readonly Span[],
  total: number,
): void {
  const gap = spans[0]?.start === 0 ? spans[0].end : 0;
  if (spans.length <= 1 && gap === total) return;
  const to = (spans.find((span) => span.start > gap)?.start ?? total) - 1;
  throw new RatewiseError("domain", {
    in: where,
    what: `needs all ${total} ${what}, got none of ${what} ${gap} … ${to}`,
    advice: "add the blocks that are missing",
    of: what,
    from: gap,
    to,
  });
}
