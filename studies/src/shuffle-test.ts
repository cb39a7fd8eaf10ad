import { shuffleFigure } from "@ratewise/plots";
import type { AccuracyCurve, AccuracyCurves } from "./shuffle-curves.ts";
import type { StudyFigure } from "./study/study.ts";

/**
 * The standard error of a ranking's area, pooled over all rankings, √(Σ s²ₖ/K): a few shuffles of one ranking say little of its own. Rankings
 * with the very same curve, which share their walks, count once; random orders have an error of their own.
 */
export function pooledError({ curves }: AccuracyCurves): number {
  const ranked = curves.filter(({ name }) => name !== "random");
  const own = ranked.filter((curve, k) => ranked.findIndex((each) => sameCurve(each, curve)) === k);
  const squares = own.reduce((sum, { areaStandardError }) => sum + areaStandardError ** 2, 0);
  return Math.sqrt(squares / own.length);
}

function sameCurve(a: AccuracyCurve, b: AccuracyCurve): boolean {
  return (
    a.area === b.area &&
    a.areaStandardError === b.areaStandardError &&
    a.scores.every((score, k) => score === b.scores[k])
  );
}

/** Accuracy as what a ranking has first is shuffled. */
export function shuffleTestFigure(
  curves: AccuracyCurves,
  /** Of what, as "words", on what, as "test reviews". */
  { shuffled, on }: { readonly shuffled: string; readonly on: string },
): Omit<StudyFigure, "name"> {
  const score = `accuracy on ${on}`;
  return {
    caption: `${score} as the ${shuffled} ranked first are shuffled; the lower, the better the ranking. One panel per method, the other methods in grey, random orders dashed; points are means over shuffles`,
    svg: shuffleFigure({ shuffle: { metric: "accuracy", ...curves } }, { score }),
  };
}
