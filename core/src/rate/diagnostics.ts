import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import type { EffectSizes } from "../effects/effect-sizes.ts";
import { type Order, stableOrder } from "../evaluate/order.ts";
import { spearmanOfOrders } from "../evaluate/ranks.ts";
import type { Dependence } from "./dependence.ts";
import { duplicatedVariables } from "./duplicates.ts";
import { publishedKld } from "./published.ts";
import type { Variant } from "./variant.ts";

/** Names listed in one diagnostic; `count` always has the full number. */
const LISTED = 20;
/** |μ|/sd from which an effect counts as strong. */
const STRONG = 3;
/** The share of 1/p below which a variable counts as not central. */
const NOT_CENTRAL = 0.1;

export interface Findings {
  readonly effects: EffectSizes;
  readonly variant: Variant;
  readonly posteriorRank: number;
  readonly constant: readonly number[];
  readonly rate: Float64Array;
  /** Of the rates. */
  readonly order: Order;
  /** ‖a_j‖ of each row of the factor. */
  readonly norms: Float64Array;
  readonly sd: Float64Array;
  /** Of the variables that are not constant; null when there is none to be had. */
  readonly dependence: Dependence | null;
}

/** What a reader of the scores should know, in plain words. Codes are stable. */
export function diagnose(findings: Findings): Diagnostic[] {
  return [
    regime(findings),
    constantVariables(findings),
    duplicated(findings),
    strongButNotCentral(findings),
    againstPublished(findings),
    allZero(findings),
  ].filter((found) => found !== null);
}

function regime({ effects, variant, posteriorRank, constant }: Findings): Diagnostic {
  const p = effects.mean.length - constant.length;
  const full = posteriorRank >= p;
  const added = variant === "nugget" ? "the nugget" : effects.noise ? "the noise" : null;
  const message = full
    ? `The posterior covariance of the ${p} effects has full rank.`
    : variant === "pseudo-inverse" || !added
      ? `The posterior covariance of the ${p} effects has rank ${posteriorRank}. It has no inverse, and the scores of "${variant}" replace divergences that are infinite.`
      : `The posterior covariance of the ${p} effects has rank ${posteriorRank}. It has no inverse, so the scores depend on ${added} added to it.`;
  return diagnostic("posterior-rank", message, {
    rank: posteriorRank,
    variables: p,
    regime: full ? "full-rank" : "rank-deficient",
  });
}

function constantVariables({ effects, constant }: Findings): Diagnostic | null {
  if (constant.length === 0) return null;
  const names = listed(effects, constant);
  return diagnostic(
    "constant-variables",
    `${count(constant.length, "variable has", "variables have")} an effect without variance, as a constant column has, and RATE 0: ${text(names, constant.length)}.`,
    { count: constant.length, names },
  );
}

function duplicated({ effects, constant, norms }: Findings): Diagnostic | null {
  const skip = new Set(constant);
  const sets = duplicatedVariables(effects, norms).filter((set) => !skip.has(set[0]));
  if (sets.length === 0) return null;
  const names = sets.slice(0, LISTED).map((set) => listed(effects, set));
  return diagnostic(
    "duplicated-variables",
    `${count(sets.length, "set of variables has", "sets of variables have")} identical effects, as copies of a column have, and share their importance: ${text(
      names.map((set) => set.join(" = ")),
      sets.length,
    )}.`,
    { count: sets.length, names },
  );
}

function strongButNotCentral({ effects, rate, sd }: Findings): Diagnostic | null {
  const p = rate.reduce((n, share) => n + Number(!Number.isNaN(share)), 0);
  const strength = (j: number): number => Math.abs(effects.mean[j]) / sd[j];
  const found: number[] = [];
  for (let j = 0; j < rate.length; j++)
    if (sd[j] > 0 && rate[j] < NOT_CENTRAL / p && strength(j) >= STRONG) found.push(j);
  if (found.length === 0) return null;
  found.sort((i, j) => strength(j) - strength(i));
  const names = listed(effects, found);
  return diagnostic(
    "strong-but-not-central",
    `${count(found.length, "variable has", "variables have")} an effect of ${STRONG} standard deviations or more but less than a tenth of an equal share: ${text(names, found.length)}. ` +
      "RATE measures what removing a variable does to the others. For the effect itself, look at its mean and standard deviation.",
    { count: found.length, names },
  );
}

/** Only for the paper's definition: the other variants are there to be compared by the caller. */
function againstPublished({
  effects,
  variant,
  rate,
  dependence,
  constant,
  order,
}: Findings): Diagnostic | null {
  if (!dependence || constant.length > 0 || rate.some(Number.isNaN)) return null;
  if (variant !== "noise" && variant !== "exact" && variant !== "nugget") return null;
  const published = rate.map((_, j) => publishedKld(dependence, effects.mean, j));
  const correlation = spearmanOfOrders(order, stableOrder(published));
  if (Number.isNaN(correlation)) return null;
  return diagnostic(
    "published-rank-correlation",
    `The paper's published code uses another formula than the paper. The two rankings have a Spearman correlation of ${correlation.toFixed(2)}.`,
    { spearman: correlation },
  );
}

function allZero({ rate }: Findings): Diagnostic | null {
  if (rate.some((share) => share > 0)) return null;
  return diagnostic(
    "all-zero",
    "No effect depends on any other, or all means are zero. So every divergence is 0, there are no shares, and the variables are in input order.",
  );
}

const listed = ({ names }: EffectSizes, indexes: readonly number[]): string[] =>
  indexes.slice(0, LISTED).map((j) => names[j]);

const text = (names: readonly string[], total: number): string =>
  names.join(", ") + (total > names.length ? ` and ${total - names.length} more` : "");

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
