import type { EffectSizes } from "../effects/effect-sizes.ts";
import { nameOf, RatewiseError, refuseUnlisted, shapeError } from "../errors.ts";
import { matrix } from "../linalg/index.ts";
import { rate } from "./rate.ts";
import type { RateOptions, RateResult } from "./result.ts";

/**
 * How the classes' factors hang together. `joint`: column k of every factor multiplies the same standard
 * normal, as when A_c = B·L_c with L_c the rows of class c in the Cholesky factor of the full covariance of
 * all output weights. `independent`: each class has normals of its own.
 */
export const couplings = ["independent", "joint"] as const;
export type Coupling = (typeof couplings)[number];

/** The effects on one class's logit. */
export interface ClassEffects {
  readonly name: string;
  readonly effects: EffectSizes;
}

export interface ClassesOptions extends RateOptions {
  /** Pairs of class names to contrast. Default: none. */
  readonly contrasts?: readonly (readonly [string, string])[];
  /** Default: `independent`. */
  readonly coupling?: Coupling;
}

export interface ClassesResult {
  readonly classes: readonly { readonly name: string; readonly result: RateResult }[];
  readonly contrasts: readonly {
    readonly between: readonly [string, string];
    readonly result: RateResult;
  }[];
}

/**
 * The effects on logit a − logit b: mean μ_a − μ_b, noise D_a + D_b (a Gumbel variable's π²/6 on each logit
 * makes the logistic π²/3 of their difference) and factor A_a − A_b when the classes are `joint`,
 * [A_a, −A_b] when they are `independent`. The contrast with b and a exchanged has the same RATE.
 */
export function contrastEffects(
  a: EffectSizes,
  b: EffectSizes,
  coupling: Coupling = "independent",
): EffectSizes {
  const where = "contrastEffects";
  refuseUnlisted(where, "coupling", couplings, coupling);
  const p = a.mean.length;
  const [l, m] = [a.factor.cols, b.factor.cols];
  if (b.mean.length !== p || b.factor.rows !== p || a.factor.rows !== p)
    throw shapeError(where, `the same ${p} variables on both sides`, `${b.mean.length}`);
  const other = a.names.findIndex((name, j) => name !== b.names[j]);
  if (other >= 0)
    throw new RatewiseError("unknown-name", {
      in: where,
      what: `needs the same variables in the same order, got "${a.names[other]}" and "${b.names[other]}" at ${other}`,
      index: other,
    });
  if ((a.noise === null) !== (b.noise === null))
    throw shapeError(where, "noise on both sides or on neither", "it on one");
  if (coupling === "joint" && l !== m)
    throw shapeError(where, "factors with the same columns for a joint posterior", `${l} and ${m}`);

  const cols = coupling === "joint" ? l : l + m;
  const factor = matrix(p, cols);
  for (let j = 0; j < p; j++) {
    for (let k = 0; k < l; k++) factor.data[j * cols + k] = a.factor.data[j * l + k];
    const from = cols - m;
    for (let k = 0; k < m; k++) factor.data[j * cols + from + k] -= b.factor.data[j * m + k];
  }
  const noise = b.noise;
  return {
    names: a.names,
    mean: a.mean.map((value, j) => value - b.mean[j]),
    factor,
    noise: a.noise && noise && a.noise.map((value, j) => value + noise[j]),
  };
}

/** RATE of each class's effects, and of the contrasts asked for. The options hold for all of them. */
export function rateClasses(
  classes: readonly ClassEffects[],
  { contrasts = [], coupling = "independent", ...options }: ClassesOptions = {},
): ClassesResult {
  if (!Array.isArray(classes))
    throw shapeError("rateClasses", "a list of { name, effects }, one per class", nameOf(classes));
  refuseUnlisted("rateClasses", "coupling", couplings, coupling);
  const byName = new Map(classes.map(({ name, effects }) => [name, effects]));
  const find = (name: string): EffectSizes => {
    const effects = byName.get(name);
    if (effects) return effects;
    throw new RatewiseError("unknown-name", {
      in: "rateClasses",
      what: `needs one of the classes ${[...byName.keys()].join(", ")} in a contrast, got "${name}"`,
      name,
    });
  };
  return {
    classes: classes.map(({ name, effects }) => ({ name, result: rate(effects, options) })),
    contrasts: contrasts.map(([a, b]) => ({
      between: [a, b],
      result: rate(contrastEffects(find(a), find(b), coupling), options),
    })),
  };
}
