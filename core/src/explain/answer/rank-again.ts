import type { EffectSizes } from "../../effects/index.ts";
import { RatewiseError, refuseUnknown } from "../../errors.ts";
import { type Group, rate, type Variant } from "../../rate/index.ts";
import { type ScoreRow, scoreRowOf, summedScores } from "./scores.ts";

/** What a ranking by RATE is made from: plain data, independent of rows and network. */
export interface RankingBasis {
  /** Effect sizes of the columns, one per output. */
  readonly effects: readonly EffectSizes[];
  /** The columns of each variable. */
  readonly variables: readonly Group[];
}

export interface RankAgainOptions {
  /** The formula; default that of the first ranking. */
  readonly variant?: Variant;
  /** ε of the variant `nugget`. */
  readonly nugget?: number;
  /** Variables whose effects are taken to be zero. Default none. */
  readonly nullify?: readonly string[];
}

/**
 * The ranking by RATE again, by another variant or given that some effects are zero. The second is the second order
 * centrality of the paper: with j nullified, the share of k is that of {j, k} together. Without options the scores are those of
 * the first ranking to the bit. Nullified variables keep their row, with null in it. O(p·l²) per output, and O(l³) more per
 * variable where some are nullified.
 */
export function rankAgain(
  { effects, variables }: RankingBasis,
  options: RankAgainOptions = {},
): ScoreRow[] {
  refuseUnknown("rankAgain", options, { variant: true, nugget: true, nullify: true });
  const { nullify = [], variant, nugget } = options;
  const nullified = new Set(nullify);
  for (const name of nullified)
    if (!variables.some((variable) => variable.name === name))
      throw new RatewiseError("unknown-name", {
        in: "rankAgain",
        what: `there is no variable "${name}"`,
        option: "nullify",
        name,
      });
  const columns = variables.flatMap(({ name, members }) => (nullified.has(name) ? members : []));
  const results = effects.map((sizes) =>
    rate(sizes, {
      groups: variables,
      ...(columns.length > 0 && { nullify: columns }),
      ...(variant !== undefined && { variant }),
      ...(nugget !== undefined && { nugget }),
    }),
  );
  const scores = summedScores(results, 0, variables.length);
  const exact = results.every(({ groups }) => groups!.kldExact !== null);
  return variables.map(({ name }, j) => {
    const row = scoreRowOf(scores, name, j);
    if (nullified.has(name)) return { ...NOTHING, name };
    return exact ? row : { ...row, kldExact: null, mutualInformation: null };
  });
}

const NOTHING = { rank: null, rate: null, kld: null, kldExact: null, mutualInformation: null };
