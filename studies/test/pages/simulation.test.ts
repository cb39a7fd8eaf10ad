import { median } from "@ratewise/core/evaluate";
import { expect, test } from "vitest";
import { summariseSelection } from "../../src/selection/summary.ts";
import { type BarRow, barRows } from "../../src/simulation/bars.ts";
import { mimicMethods } from "../../src/simulation/mimic-rankings.ts";
import {
  PRINTED_ROUNDING,
  placeOf,
  published,
  publishedBest,
} from "../../src/simulation/published.ts";
import type { RateRanking } from "../../src/simulation/rate-rankings.ts";
import { allCells } from "../../src/simulation/report-tables.ts";
import {
  middle,
  rankRows,
  recordedRows,
  type ShownMethod,
  searchedRows,
  searchRows,
  shownMethods,
} from "../../src/simulation/simulation-rows.ts";
import { summarise } from "../../src/simulation/summary.ts";
import { handText } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

const rows = recordedRows();
const answer = handText("simulation", "Answer").split("\n* ");
const part = (name: string): string => answer.find((text) => text.startsWith(`**${name}`))!;
const range = (values: readonly number[]): number[] => [Math.min(...values), Math.max(...values)];
const areasOf = (method: ShownMethod): number[] =>
  allCells.map((cell) => middle(rows, method, cell)!);
const printed = (which: "rate" | "boosting" | "forest"): number[] =>
  allCells.map((cell) => published[cell.task][which][placeOf(cell)]);
const best = allCells.map((cell) => publishedBest(cell.task, placeOf(cell)));
const above = (ours: readonly number[], theirs: readonly number[]): number =>
  ours.filter((area, k) => area > theirs[k] + PRINTED_ROUNDING).length;
const below = (ours: readonly number[], theirs: readonly number[]): number => above(theirs, ours);
const ranked = allCells.map((cell) => rankRows(rows, cell, "paper"));

test("RATE and direct importance stand beside the paper as the answer says", () => {
  const rate = areasOf(shownMethods.rate);
  const better = above(rate, printed("rate"));
  expect(below(rate, printed("rate"))).toBe(0);
  expectNumbers(part("RATE"), [
    ...[better, allCells.length, allCells.length - better],
    ...[...range(rate), ...range(printed("rate"))],
  ]);
  const direct = areasOf(shownMethods.standard);
  expect(above(direct, best)).toBe(8);
  expect(above(areasOf(shownMethods.standardRate), best)).toBe(8);
  expectNumbers(part("Direct"), [
    ...[8, ...range(direct), ...range(best), 8, above(areasOf(shownMethods.gradient), best)],
  ]);
});

test("mimics and their searches have the numbers of the record", () => {
  const gaps = ranked.map(
    (own) =>
      median(own.map((row) => row.areas.boosting!)) - median(own.map((row) => row.areas.noise)),
  );
  const papers = allCells.map((_, k) => printed("boosting")[k] - printed("rate")[k]);
  expect(gaps.every((gap) => gap > 0)).toBe(true);
  for (const own of ranked)
    expect(median(own.map((row) => row.seconds.rate))).toBeLessThan(
      median(own.map((row) => row.seconds.boosting)),
    );
  const forests = areasOf(shownMethods.forest);
  expect(forests[3]).toBeGreaterThan(forests[0]);
  expect(printed("forest")[3]).toBeLessThan(printed("forest")[0]);
  expectNumbers(part("Mimics"), [
    ...[8, ...range(gaps), papers.filter((gap) => gap > 0).length],
    ...[papers.filter((gap) => gap === 0).length, ...range(areasOf(shownMethods.boosting))],
    ...[...range(forests), ...range(printed("boosting")), ...range(printed("forest"))],
  ]);
  const changes = mimicMethods.map((method) =>
    allCells.map((cell, k) => {
      const before = new Map(ranked[k].map((row) => [row.seed, row]));
      const after = searchedRows(rows, cell).filter(({ seed }) => before.get(seed)?.heldOut);
      const own = after.map(({ seed }) => before.get(seed)!);
      const gap = (a: number[], b: number[]): number => median(a) - median(b);
      return {
        area: gap(
          after.map((row) => row.areas[method]),
          own.map((row) => row.areas[method]!),
        ),
        fit: gap(
          after.map((row) => row.heldOut[method]),
          own.map((row) => row.heldOut![method]),
        ),
      };
    }),
  );
  const alone = allCells.flatMap((cell) => {
    const shared = new Map(searchedRows(rows, cell).map(({ seed, areas }) => [seed, areas]));
    return searchRows(rows, cell)
      .filter((row) => row.rows === cell.rows && shared.has(row.seed))
      .map(({ seed, areas }) => mimicMethods.map((m) => Math.abs(areas[m] - shared.get(seed)![m])));
  });
  expectNumbers(part("A search"), [
    ...[...changes.flatMap((of) => range(of.map(({ area }) => area))), allCells.length],
    ...[...changes.flatMap((of) => range(of.map(({ fit }) => fit))), alone.length],
    ...mimicMethods.map((_, m) => Math.max(...alone.map((gap) => gap[m]))),
  ]);
});

test("terms and variants of RATE and knockoffs have the numbers of the record", () => {
  const all = ranked.flat();
  expectNumbers(part("The trace term"), [
    ...[Math.min(...all.map(({ meanTerm }) => meanTerm)), all.length],
    Math.min(...all.map(({ agreement }) => agreement.wholeDivergence)),
  ]);
  const gaps = (name: RateRanking): number[] =>
    ranked.map(
      (own) =>
        median(own.map((row) => row.areas[name])) - median(own.map((row) => row.areas.noise)),
    );
  const names = ["nugget", "pseudo-inverse", "r-2020", "published", "mutual information"] as const;
  const told = part("Variants").replace("r-2020", "the code of that year");
  expectNumbers(
    told,
    names.flatMap((name) => range(gaps(name))),
  );
  const asked = summariseSelection(rows.selection).filter(({ ranking }) =>
    ["one covariance", "ensemble meanSquared"].includes(ranking),
  );
  expectNumbers(part("Knockoffs").split(" See ")[0], [
    ...[0.1, ...range(asked.map(({ fdp }) => fdp)), asked.length],
  ]);
  expect(asked.filter(({ fdp, halfWidth }) => fdp - halfWidth > 0.1)).toEqual([]);
});

test("what was chosen after results has the numbers of the record", () => {
  const [, more, form] = handText("simulation", "Chosen after results were seen").split("\n* ");
  const summaries = summarise(rows.cells);
  const bars = barRows(summaries);
  const holding = (of: readonly BarRow[]): number =>
    of.filter(({ verdict }) => verdict.startsWith("holds")).length;
  const longer = bars.filter(({ seeds }) => seeds > 25);
  const names = new Set(longer.map(({ cell }) => cell));
  for (const name of names) expect(more).toContain(name);
  const first = barRows(summarise(rows.cells.filter(({ seed }) => seed <= 25)));
  expectNumbers(more.replace(/: in 4 cells, .*\. Of/, `: in ${names.size} cells. Of`), [
    ...[25, 0.01, Math.max(...longer.map(({ seeds }) => seeds)), 4, longer.length],
    ...[holding(longer), 25, holding(first.filter(({ cell }) => names.has(cell)))],
  ]);
  const forms = bars.filter(({ what }) => what.startsWith("best gradient form"));
  const full = forms.filter(
    ({ cell, atLeast }) => summaries.find((row) => row.cell === cell)!.ensemble.full >= atLeast,
  );
  expectNumbers(form, [holding(forms), forms.length, full.length]);
});
