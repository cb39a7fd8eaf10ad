import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import type { Rows } from "../../network/index.ts";
import type { ExplainedVariable } from "./rows.ts";
import { standIns } from "./stand-in.ts";

/** Pairs that are written out; `names` has all. */
const LISTED = 5;

interface Found {
  readonly variables: readonly ExplainedVariable[];
  /** Who stands in for whom, and who comes near it; none, one or two. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The rows of a result with the variable that each stands in for, and that in words with the correlation of the two.
 * Without direct shares nothing is known of it.
 *
 * @param owner for each column of X its variable
 * @param f the predictions the shares are about
 */
export function withStandIns(
  variables: readonly ExplainedVariable[],
  X: Rows,
  owner: Uint32Array,
  f: Float64Array,
): Found {
  if (variables.some(({ direct }) => direct === null)) return { variables, diagnostics: [] };
  const rates = Float64Array.from(variables, ({ rate }) => rate ?? 0);
  const direct = Float64Array.from(variables, (variable) => variable.direct!.rate);
  const pairs = standIns(rates, direct, X, owner, f)
    .flatMap((found, j) => (found === null ? [] : [{ j, ...found }]))
    .sort((a, b) => rates[b.j] - rates[a.j]);
  const told = (stands: boolean) => {
    const those = pairs.filter((pair) => pair.stands === stands);
    const listed = those
      .slice(0, LISTED)
      .map(
        ({ j, of, correlation }) =>
          `${variables[j].name} for ${variables[of].name} (correlation ${correlation.toFixed(2)})`,
      );
    const more = those.length > LISTED ? ` and ${those.length - LISTED} more` : "";
    return {
      pairs: `${listed.join(", ")}${more}`,
      details: {
        names: those.map(({ j }) => variables[j].name),
        for: those.map(({ of }) => variables[of].name),
        correlations: those.map(({ correlation }) => correlation),
      },
    };
  };
  const [full, near] = [told(true), told(false)];
  const partner = new Map(pairs.flatMap(({ j, of, stands }) => (stands ? [[j, of]] : [])));
  return {
    variables: variables.map((variable, j) => {
      const of = partner.get(j);
      return of === undefined ? variable : { ...variable, standInFor: variables[of].name };
    }),
    diagnostics: [
      diagnostic(
        "stand-ins",
        `Stand-ins: ${full.pairs}. A stand-in moves with the prediction only because it moves with the other variable.`,
        full.details,
      ),
      diagnostic(
        "near-stand-ins",
        `Close to stand-ins: ${near.pairs}. Their RATE is more than twice their direct share, so part of it may belong to the other variable.`,
        near.details,
      ),
    ].filter(({ names }) => names.length > 0),
  };
}
