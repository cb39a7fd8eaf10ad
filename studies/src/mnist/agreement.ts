/** How far rankings agree: Spearman's correlations of every two of them. */
export interface Agreement {
  readonly least: Pair;
  readonly median: number;
  readonly most: Pair;
  /** The ranking that agrees least with the others, and its mean correlation with them. */
  readonly apart: { readonly name: string; readonly mean: number };
}

interface Pair {
  readonly names: readonly [string, string];
  readonly correlation: number;
}

/** From the table of correlations, its rows and columns in the order of `names`; two rankings at least. */
export function agreementOf(
  names: readonly string[],
  correlations: readonly (readonly number[])[],
): Agreement {
  const pairs: Pair[] = names
    .flatMap((one, i) =>
      names.slice(i + 1).map((other, k) => ({
        names: [one, other] as const,
        correlation: correlations[i][i + 1 + k],
      })),
    )
    .sort((a, b) => a.correlation - b.correlation);
  const middle = (pairs.length - 1) / 2;
  const means = names.map((name, i) => ({
    name,
    mean:
      correlations[i].reduce((sum, value, k) => (k === i ? sum : sum + value), 0) /
      (names.length - 1),
  }));
  return {
    least: pairs[0],
    median: (pairs[Math.floor(middle)].correlation + pairs[Math.ceil(middle)].correlation) / 2,
    most: pairs.at(-1)!,
    apart: means.reduce((least, each) => (each.mean < least.mean ? each : least)),
  };
}

/** In words. */
export function agreementText({ least, median, most, apart }: Agreement, count: number): string {
  const verdict = median >= 0.8 ? "Mostly" : median >= 0.4 ? "Partly" : "Hardly";
  const pair = ({ names, correlation }: Pair): string =>
    `${decimal(correlation)} (${names.join(" and ")})`;
  return `Do the ${count} methods agree? ${verdict}: Spearman's correlation of two of them goes from ${pair(least)} to ${pair(most)} and is ${decimal(median)} in the median. Farthest from the others is ${apart.name}, with ${decimal(apart.mean)} on average.`;
}

const decimal = (value: number): string => value.toFixed(2).replace("-", "−");
