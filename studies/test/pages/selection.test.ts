import { median } from "@ratewise/core/evaluate";
import { expect, test } from "vitest";
import { mean } from "../../src/mean-with-error.ts";
import { ASKED, summariseSelection } from "../../src/selection/summary.ts";
import { recordedRows } from "../../src/simulation/simulation-rows.ts";
import { handText } from "../support/pages.ts";
import { expectNumbers } from "../support/told-numbers.ts";

const { selection } = recordedRows();
const asked = summariseSelection(selection).filter(({ ranking }) => ASKED.includes(ranking));
const [, kept, power, correlated, recipes, intervals] = handText("selection", "Answer").split(
  "\n* ",
);
const range = (values: readonly number[]): number[] => [Math.min(...values), Math.max(...values)];

test("rates and power have the numbers of the record", () => {
  const rates = asked.map(({ fdp }) => fdp);
  const widths = asked.map(({ halfWidth }) => halfWidth);
  expect(asked.filter(({ fdp, halfWidth }) => fdp - halfWidth > 0.1)).toEqual([]);
  expectNumbers(kept, [
    ...[asked.length / 2, ...range(rates), mean(rates), asked.length, 0.1],
    ...[median(widths), Math.max(...widths), 0.95],
  ]);
  const barred = asked.filter(({ bar }) => bar !== null);
  expectNumbers(power, [barred.filter((row) => row.power >= row.bar!).length, barred.length]);
});

test("correlated columns, recipes and rank intervals have the numbers of the record", () => {
  const of = (ranking: string, cells: RegExp): number[] =>
    asked.filter((row) => row.ranking === ranking && cells.test(row.cell)).map((row) => row.power);
  const [rate, gradients] = ASKED.map((ranking) => of(ranking, /autoregressive|blocks/));
  const less = rate.filter((value, k) => value < gradients[k]).length;
  expectNumbers(correlated, [...range(gradients), ...range(rate), less, rate.length]);
  const pairs = asked.flatMap(({ cell, ranking, power: own }) => {
    const other = asked.find(
      (row) => row.cell === cell.replace("standard", "paper") && row.ranking === ranking,
    );
    return cell.startsWith("standard") ? [[own, other!.power]] : [];
  });
  expect(pairs.filter(([own, other]) => own < other)).toEqual([]);
  expectNumbers(recipes, [
    ...range(pairs.map(([own]) => own)),
    ...[...range(pairs.map(([, other]) => other)), pairs.length],
  ]);
  const covered = [1000, 2000, 3000].map((rows) =>
    mean(
      selection.flatMap((row) =>
        row.study === "coverage" && row.rows === rows ? [row.covered!] : [],
      ),
    ),
  );
  expectNumbers(intervals, [0.9, ...range(covered)]);
  expect(handText("selection", "Record")).toContain(
    `${selection.length.toLocaleString("en")} of them`,
  );
});
