import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import type { ExplainedVariable } from "./rows.ts";
import type { EffectShape } from "./shape-of-effects.ts";

/** Effects nearer to zero than this many standard deviations have no sign to speak of. */
const CLEAR = 2;
const LISTED = 5;

/**
 * Variables that go along with the prediction one way while the prediction goes the other way when they alone are
 * changed: the mean effect μ is two standard deviations or more from zero, and the only curve rises or falls against it.
 * That happens where rows with a high value differ in other variables too. One diagnostic or none, in the shapes' order.
 */
export function oppositeSigns(
  variables: readonly Pick<ExplainedVariable, "name" | "mean" | "sd">[],
  shapes: readonly EffectShape[],
): Diagnostic[] {
  const byName = new Map(variables.map((variable) => [variable.name, variable]));
  const found = shapes.flatMap(({ name, curves }) => {
    const { mean, sd } = byName.get(name)!;
    const alone = curves.length === 1 ? curves[0].shape : null;
    if (mean === null || sd === null || !(Math.abs(mean) >= CLEAR * sd)) return [];
    const opposite = mean > 0 ? alone === "falls" : alone === "rises";
    return opposite ? [{ name, mean, alone }] : [];
  });
  if (found.length === 0) return [];
  const told = found
    .slice(0, LISTED)
    .map(
      ({ name, mean, alone }) =>
        `the prediction is ${mean > 0 ? "high" : "low"} where ${name} is high, but it ${alone} when only ${name} grows`,
    );
  const more = found.length > LISTED ? `; so do ${found.length - LISTED} more` : "";
  return [
    diagnostic(
      "opposite-signs",
      `Two directions: ${told.join("; ")}${more}. Rows that differ in this variable also differ in others. The curve shows what the model does with the variable itself.`,
      { count: found.length, names: found.map(({ name }) => name) },
    ),
  ];
}
