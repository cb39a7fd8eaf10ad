import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError } from "../../errors.ts";
import { meanOf } from "../../linalg/moments.ts";
import type { ScaleComparison } from "../../network/compare-scales.ts";
import type { LogScale, TargetScaleName } from "../../network/index.ts";
import { mention, say, type Words } from "../../words/words.ts";
import type { Prepared } from "../prepare/prepared.ts";
import type { FittedMember } from "./fit-member.ts";

/** On which scale the target was learned, and why. */
export interface ExplainedScale {
  readonly kind: "as-is" | "log";
  /** What was added to the target before its logarithm was taken; null where none was. */
  readonly shift: number | null;
  /** e to the network's output times this, less the shift, is the mean prediction; null where the target was learned as it is. */
  readonly smear: number | null;
  /** Squared errors of held-back rows on either scale, in units of the target's variance; null where only one was tried. */
  readonly tried: ScaleComparison | null;
}

export const AS_IS: ExplainedScale = { kind: "as-is", shift: null, smear: null, tried: null };

/** Refuses logarithms where there are none. */
export function checkTargetScale(
  { task, target, train, test, rows, folds, firstTest }: Prepared,
  asked: TargetScaleName | undefined,
  model: "network" | "gp",
): void {
  if (asked !== "log") return;
  const refuse = (what: string | Words): never => {
    const advice = say`use ${mention("targetScale", "as-is")}`;
    throw new RatewiseError("domain", { in: "explain", what, advice });
  };
  if (model === "gp") refuse("needs a network to learn logarithms, got a Gaussian process");
  if (task !== "regression")
    refuse(`needs a numeric target to learn its logarithm, but "${target}" has classes`);
  for (const [part, { y }, first, where] of [
    [rows.train, train, 0, ""],
    [rows.test, test, firstTest, firstTest > 0 ? " of the test table" : ""],
  ] as const) {
    const at = y.findIndex((value) => value < 0);
    if (at >= 0)
      refuse(
        `needs values of at least 0 in "${target}" to learn their logarithm, got ${y[at]} in row ${part[at] - first + 1}${where}`,
      );
  }
  // What is added before the logarithm would hang on rows that some of the networks are tested on, or differ between them.
  const zero = folds ? train.y.indexOf(0) : -1;
  if (zero >= 0)
    refuse(
      say`needs values above 0 in "${target}" to learn their logarithm with ${mention("folds")}, got 0 in row ${rows.train[zero] + 1}`,
    );
}

/** The scale of an ensemble, whose members have one shift and a smear each; those of folds have the range of their own rows too. */
export function scaleOfMembers(members: readonly FittedMember[]): LogScale | null {
  const scales = members.flatMap(({ logScale }) => logScale ?? []);
  if (scales.length === 0) return null;
  return {
    ...scales[0],
    smear: meanOf(scales.map(({ smear }) => smear)),
    smallest: Math.min(...scales.map(({ smallest }) => smallest)),
    largest: Math.max(...scales.map(({ largest }) => largest)),
  };
}

export function explainedScale(
  scale: LogScale | null,
  tried: ScaleComparison | null,
): ExplainedScale {
  if (!scale) return { ...AS_IS, tried };
  return { kind: "log", shift: scale.shift, smear: scale.smear, tried };
}

/** One line for whoever reads numbers that are about the network's output. */
export function scaleNotes(
  target: string,
  scale: LogScale | null,
  tried: ScaleComparison | null,
): Diagnostic[] {
  if (!scale) return [];
  const { shift } = scale;
  const learned = `the logarithm of ${target}${shift === 0 ? "" : ` + ${Number(shift.toPrecision(3))}`}`;
  const why = tried ? ", which suits rows held back from training better" : ", as asked";
  return [
    diagnostic(
      "target-logarithm",
      `The network learned ${learned}${why}. RATE and direct are about that logarithm; scores, predictions and curves are in the unit of ${target}.`,
      { shift },
    ),
  ];
}
