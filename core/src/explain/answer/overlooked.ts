import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import type { ExplainedVariable } from "./rows.ts";

/** How much smaller RATE must be than the direct share; the rule of stand-ins, turned round. */
const FALL = 4;
const LISTED = 5;

/**
 * Variables that the model uses and RATE hardly sees: their direct share is above average (1/p), their RATE below
 * average and at most a quarter of it. One diagnostic or none, the most used first.
 */
export function overlookedByRate(variables: readonly ExplainedVariable[]): Diagnostic[] {
  const p = variables.length;
  const found = variables
    .filter(({ rate, direct }) => {
      if (rate === null || direct === null) return false;
      return direct.rate > 1 / p && rate < 1 / p && rate * FALL < direct.rate;
    })
    .sort((a, b) => a.direct!.rank - b.direct!.rank);
  if (found.length === 0) return [];
  const named = found
    .slice(0, LISTED)
    .map(({ name, rank, direct }) => `${name} (direct rank ${direct!.rank}, RATE rank ${rank})`);
  const more = found.length > LISTED ? ` and ${found.length - LISTED} more` : "";
  return [
    diagnostic(
      "overlooked-by-rate",
      `The model uses ${named.join(", ")}${more}, which RATE hardly sees. This happens to variables that act in combination with others, along a curve that rises and falls, or independently of all others. Go by their direct share.`,
      { count: found.length, names: found.slice(0, LISTED).map(({ name }) => name) },
    ),
  ];
}

/**
 * Diagnostics of RATE that hold beside direct shares too. Effects of many standard deviations do not: those come from the
 * output weights alone and make noise look sure, while {@link overlookedByRate} names what the model does use.
 */
export function keptOfRate({ code }: Diagnostic): boolean {
  return code !== "strong-but-not-central";
}
