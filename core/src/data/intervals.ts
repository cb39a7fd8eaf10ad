import { RatewiseError } from "../errors.ts";
import type { VariableGroup } from "./groups.ts";

/** A stretch of a chromosome, 1-based with both ends inside: a gene, for one. */
export interface Interval {
  readonly name: string;
  readonly chromosome: string;
  readonly start: number;
  readonly end: number;
}

/** Where a variable lies; 0 where that is unknown. */
export interface Position {
  readonly chromosome: string;
  readonly position: number;
}

/** What intervals gave, and how much of it was about places where nothing was measured. */
export interface IntervalGroups {
  readonly groups: VariableGroup[];
  /** Intervals without a variable. */
  readonly emptyIntervals: number;
  /** Variables in no interval. */
  readonly outside: number;
  /** Variables without a position. */
  readonly unplaced: number;
}

/**
 * Groups of the variables within `window` base pairs of each interval, in the order of the intervals; those
 * of one name (exons, transcripts) are one group. O((p + g) log p) and the memberships.
 */
export function groupsFromIntervals(
  intervals: readonly Interval[],
  positions: readonly Position[],
  window = 0,
): IntervalGroups {
  if (!(window >= 0))
    throw new RatewiseError("domain", {
      in: "groupsFromIntervals",
      what: `needs a window from 0, got ${window}`,
    });
  const chromosomes = new Map<string, number[]>();
  positions.forEach(({ chromosome, position }, j) => {
    if (!(position > 0)) return;
    const key = chromosomeKey(chromosome);
    const list = chromosomes.get(key);
    if (list) list.push(j);
    else chromosomes.set(key, [j]);
  });
  const sorted = new Map(
    Array.from(chromosomes, ([key, list]) => {
      list.sort((a, b) => positions[a].position - positions[b].position || a - b);
      return [key, { columns: list, places: list.map((j) => positions[j].position) }] as const;
    }),
  );
  const groups = new Map<string, Set<number>>();
  const inside = new Set<number>();
  for (const { name, chromosome, start, end } of intervals) {
    const members = groups.get(name) ?? new Set<number>();
    groups.set(name, members);
    const here = sorted.get(chromosomeKey(chromosome));
    if (!here) continue;
    for (let at = firstFrom(here.places, start - window); at < here.places.length; at++) {
      if (here.places[at] > end + window) break;
      members.add(here.columns[at]);
      inside.add(here.columns[at]);
    }
  }
  const filled = [...groups].filter(([, members]) => members.size > 0);
  const unplaced = positions.filter(({ position }) => !(position > 0)).length;
  return {
    groups: filled.map(([name, members]) => ({ name, members: [...members] })),
    emptyIntervals: groups.size - filled.length,
    outside: positions.length - unplaced - inside.size,
    unplaced,
  };
}

/** Intervals of a BED file: chromosome, 0-based start, end, name; its own header lines are passed over. */
export function parseBedIntervals(text: string, where: string): Interval[] {
  const intervals: Interval[] = [];
  text.split(/\r?\n/).forEach((content, i) => {
    if (content.trim() === "" || /^(#|track\b|browser\b)/.test(content)) return;
    const fields = content.includes("\t") ? content.split("\t") : content.trim().split(/\s+/);
    const [chromosome, start, end, name] = fields;
    if (fields.length < 4 || !isPlace(start) || !isPlace(end) || Number(end) < Number(start))
      throw new RatewiseError("parse", {
        at: `${where}, line ${i + 1}`,
        what: `needs chromosome, start, end and name with tabs between, got "${content.slice(0, 60)}"`,
        line: i + 1,
      });
    intervals.push({ name, chromosome, start: Number(start) + 1, end: Number(end) });
  });
  if (intervals.length === 0)
    throw new RatewiseError("parse", { at: where, what: "the file is empty" });
  return intervals;
}

const isPlace = (text: string | undefined): boolean => /^\d+$/.test(text ?? "");

/** "chr1", "Chr01" and "1" are one; so are PLINK's 23 and X only where the files agree. */
function chromosomeKey(name: string): string {
  return name
    .replace(/^chr(?:omosome)?/i, "")
    .replace(/^0+(?=\d)/, "")
    .toUpperCase();
}

function firstFrom(places: readonly number[], least: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
