import { expect, test } from "vitest";
import { groupBy } from "../src/group-by.ts";
import { readJournal } from "../src/journal.ts";
import { mean } from "../src/mean-with-error.ts";
import { type CellResult, runCell } from "../src/simulation/cell.ts";
import { at } from "./support/pages.ts";

const read = (name: string): CellResult[] =>
  readJournal<CellResult>(at(`studies/results/${name}`).pathname);
/** Data sets of the paper's simulation, by the recipe as it chooses its model now. */
const now = read("standard.jsonl");
const before = read("simulation.jsonl").filter(
  ({ recipe, correlation }) => recipe === "standard" && correlation.kind === "independent",
);
const cellOf = ({ link, rows }: CellResult): string => `${link} ${rows}`;
const measures: Record<string, (row: CellResult) => number> = {
  "RATE, one": ({ one }) => one.covariance,
  "direct, one": ({ one }) => one.full,
  "score, one": ({ oneScore }) => oneScore,
  "RATE, five": ({ ensemble }) => ensemble.covariance,
  "direct, five": ({ ensemble }) => ensemble.full,
  "score, five": ({ ensembleScore }) => ensembleScore,
};

test.each([...groupBy(now, cellOf)])(
  "in %s the choice of the model loses at most 0.005 and chance beside one size for all",
  (_, rows) => {
    expect(rows.map(({ seed }) => seed).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 25 }, (_, k) => k + 1),
    );
    for (const [what, of] of Object.entries(measures)) {
      const differences = rows.map((row) => {
        const other = before.find(
          (each) => cellOf(each) === cellOf(row) && each.seed === row.seed,
        )!;
        return of(row) - of(other);
      });
      const middle = mean(differences);
      const squares = differences.reduce((sum, value) => sum + (value - middle) ** 2, 0);
      const error = Math.sqrt(squares / 24 / 25);
      expect(middle, what).toBeGreaterThanOrEqual(-0.005 - 2 * error);
    }
  },
);

test("a data set of the journal comes out again", async () => {
  const { link, rows, seed, recipe, correlation, members, ...found } = now.find(
    (row) => row.link === "identity" && row.rows === 3000 && row.seed === 2,
  )!;
  const again = await runCell({ link, rows, seed, recipe, correlation, members });
  for (const of of Object.values(measures))
    expect(
      Math.abs(of(again) - of({ link, rows, seed, recipe, correlation, members, ...found })),
    ).toBeLessThan(0.01);
});
