import type { RateResult } from "@ratewise/core";
import type { ImportanceScores } from "@ratewise/core/rate";
import type { Io } from "../io.ts";
import { bar, paint, shareText } from "./bar.ts";
import { displayWidth, fit, pad, printable, wrap } from "./printable.ts";

/** Rows shown to people. */
const TOP = 20;
const LONGEST_NAME = 40;
const LONGEST_BAR = 40;

/** A ranking for people: the best variables with bars, the groups, and what to be careful about. */
export function rankingText(result: RateResult, io: Io): string {
  const width = Math.max(40, Math.min(io.columns, 120));
  const { variables, groups, variant, posteriorRank } = result;
  const p = variables.names.length;
  const strength = (j: number): string =>
    variables.sd[j] > 0 ? (variables.mean[j] / variables.sd[j]).toFixed(2) : "–";
  const parts = [
    wrap(
      `Importance of ${p} variables (RATE, variant ${variant}; the posterior covariance has rank ${posteriorRank})`,
      width,
    ),
    bars("variable", variables, variables.names, ["mean/sd", strength], width, io),
  ];
  if (groups) {
    const size = (g: number): string => `${groups.sizes[g]}`;
    parts.push(bars("group", groups, groups.names, ["size", size], width, io));
  }
  parts.push(...summary(result).map((line) => wrap(line, width)));
  const cautions = result.diagnostics.map(({ message }) =>
    wrap(`- ${printable(message)}`, width, "  "),
  );
  return `${[...parts, ["To keep in mind:", ...cautions].join("\n")].join("\n\n")}\n`;
}

function summary({ variables, delta, ess }: RateResult): string[] {
  const scored = variables.rank.reduce((count, rank) => count + Number(rank > 0), 0);
  if (delta === null || ess === null) return [];
  return [
    `RATE is a share: the ${scored} variables add up to 1, and equal shares would be ${(1 / scored).toPrecision(3)}. ` +
      `The shares are ${ess.toFixed(0)}% even (100%: all equal). mean/sd is the effect itself, which RATE does not measure.`,
  ];
}

/** One line per row, best first: rank, name, share, bar, and one more column. */
function bars(
  what: string,
  scores: ImportanceScores,
  names: readonly string[],
  [title, extra]: readonly [string, (index: number) => string],
  width: number,
  io: Io,
): string {
  const best = inOrder(scores.rank).slice(0, TOP);
  const shown = best.map((j) => fit(printable(names[j]), LONGEST_NAME));
  const nameWidth = Math.max(displayWidth(what), ...shown.map(displayWidth));
  const extras = best.map(extra);
  const extraWidth = Math.max(title.length, ...extras.map((text) => text.length));
  const room = width - (4 + 2 + nameWidth + 2 + 6 + 2 + 2 + extraWidth);
  const barWidth = Math.max(0, Math.min(LONGEST_BAR, room));
  const most = scores.rate[best[0]] || 1;
  const line = (rank: string, name: string, share: string, bar: string, last: string): string =>
    `${rank.padStart(4)}  ${pad(name, nameWidth)}  ${share.padEnd(6)}  ${pad(bar, barWidth)}  ${last.padStart(extraWidth)}`;
  const rows = best.map((j, i) => {
    const share = scores.rate[j];
    const drawn = bar((share / most) * barWidth);
    const text = line(`${i + 1}`, shown[i], shareText(share), drawn, extras[i]);
    return drawn === "" ? text : text.replace(drawn, paint(drawn, io));
  });
  const scored = scores.rank.reduce((count, rank) => count + Number(rank > 0), 0);
  const more = scored > TOP ? [`      … and ${scored - TOP} more (--json has all)`] : [];
  const without = names.length - scored;
  const nullified = without > 0 ? [`      ${without} nullified, without a score`] : [];
  return [line("rank", what, "RATE", "", title), ...rows, ...more, ...nullified].join("\n");
}

/** The indexes of the scored, best first. */
function inOrder(rank: Uint32Array): number[] {
  const order: number[] = [];
  rank.forEach((place, j) => {
    if (place > 0) order[place - 1] = j;
  });
  return order;
}
