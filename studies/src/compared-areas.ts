import type { AccuracyCurve, AccuracyCurves } from "./shuffle-curves.ts";
import { studentWithin } from "./student.ts";

/** An area under a curve of a shuffle test, as far as its repeats tell it. */
export interface ComparedArea {
  readonly name: string;
  readonly area: number;
  /** Of the rankings the same: pooled. Of random orders their own. */
  readonly error: number;
  readonly degrees: number;
}

/** How often each order was walked. */
export interface Walked {
  readonly repeats: number;
  readonly randomOrders: number;
}

/**
 * Areas with errors that can be tested. A few shuffles of one ranking say little of its error, so the variances of all rankings are
 * pooled, s² = Σ s²ₖ/K with K·(repeats − 1) degrees of freedom; rankings with the very same curve, which share their walks, count once.
 */
export function comparedAreas(
  { curves }: AccuracyCurves,
  { repeats, randomOrders }: Walked,
): ReadonlyMap<string, ComparedArea> {
  const ranked = curves.filter(({ name }) => name !== "random");
  const own = ranked.filter((curve, k) => ranked.findIndex((each) => sameCurve(each, curve)) === k);
  const squares = own.reduce((sum, { areaStandardError }) => sum + areaStandardError ** 2, 0);
  const error = Math.sqrt(squares / own.length);
  const degrees = own.length * (repeats - 1);
  return new Map(
    curves.map(({ name, area, areaStandardError }) => [
      name,
      name === "random"
        ? { name, area, error: areaStandardError, degrees: randomOrders - 1 }
        : { name, area, error, degrees },
    ]),
  );
}

function sameCurve(a: AccuracyCurve, b: AccuracyCurve): boolean {
  return (
    a.area === b.area &&
    a.areaStandardError === b.areaStandardError &&
    a.scores.every((score, k) => score === b.scores[k])
  );
}

/** An area and its standard error in words. */
export const areaText = ({ area, error }: ComparedArea): string =>
  `${area.toFixed(4)} ± ${error.toFixed(4)}`;

/** How fast accuracy falls in one order beside another, as far as Student's t tells at the level 0.05; the fewer degrees of freedom count. */
export function fallsBeside(a: ComparedArea, b: ComparedArea): string {
  const t = studentWithin(0.95, Math.min(a.degrees, b.degrees));
  if (Math.abs(a.area - b.area) <= t * Math.hypot(a.error, b.error)) return "as fast as";
  return a.area < b.area ? "faster than" : "more slowly than";
}

/**
 * For the methods of the pages.
 *
 * @param of what was compared, by name; "" where it is all there is
 */
export function comparedText(
  of: Readonly<Record<string, ReadonlyMap<string, ComparedArea>>>,
): string {
  const entries = Object.entries(of).map(([name, areas]) => {
    const { degrees } = [...areas.values()].find((area) => area.name !== "random")!;
    return { degrees, where: name === "" ? "" : ` for ${name}`, random: areas.get("random")! };
  });
  const degrees = entries.map((each) => `${each.degrees}${each.where}`).join(", ");
  const points = entries
    .map((each) => `${studentWithin(0.95, each.degrees).toFixed(2)}${each.where}`)
    .join(", ");
  return `What stands after ± of an area is its standard error, for rankings pooled over all of them (degrees of freedom: ${degrees}; one ranking's own few shuffles would tell little of it), for random orders their own (${entries[0].random.degrees}). Two areas are told apart where their difference is more than Student's t at the level 0.05, one pair at a time (between rankings ${points}), times its standard error.`;
}

/** That this came after results. */
export const comparedChoice =
  "Areas were told apart by two of each ranking's own standard errors at first, from as few shuffles as there are; pooled errors and Student's t came after results had been seen.";
