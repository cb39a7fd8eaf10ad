import type { ScoreRow } from "@ratewise/core";

type Scored = Pick<ScoreRow, "name" | "rank" | "rate">;

/** A variable under another assumption, beside what it was. */
export interface Change {
  readonly name: string;
  /** Among the variables that are still ranked: one that is taken for zero leaves no gap. */
  readonly rankBefore: number | null;
  readonly rateBefore: number | null;
  readonly rank: number | null;
  readonly rate: number | null;
  /** Places won; null for one that is taken for zero. */
  readonly moved: number | null;
}

/** How a ranking changes; both have the same variables in the same order. */
export function changesOf(before: readonly Scored[], after: readonly Scored[]): Change[] {
  const left = before.filter(({ rank }, j) => rank !== null && after[j].rank !== null);
  const order = [...left].sort((a, b) => a.rank! - b.rank!);
  const places = new Map(order.map(({ name }, at) => [name, at + 1]));
  return after.map(({ name, rank, rate }, j) => {
    const rankBefore = places.get(name) ?? null;
    const moved = rank === null || rankBefore === null ? null : rankBefore - rank;
    return { name, rank, rate, rankBefore, rateBefore: before[j].rate, moved };
  });
}

/** Shares nearer than this are the same but for rounding. */
const ROUNDING = 1e-9;

/** Whether two rankings give every variable the same share. */
export function sameShares(before: readonly Scored[], after: readonly Scored[]): boolean {
  return after.every(({ rate }, j) => {
    const other = before[j].rate;
    return rate === null || other === null ? rate === other : Math.abs(rate - other) <= ROUNDING;
  });
}
