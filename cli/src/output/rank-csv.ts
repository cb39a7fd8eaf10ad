import type { RateResult } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";

/** Rows that go into one piece of text: short enough that pieces die young in the collector's memory. */
const PIECE = 200;

/** A column of scores. */
export type ScoreColumn = readonly [
  title: string,
  values: ArrayLike<number> | null,
  /** Whether a nullified row has one too. */
  always?: boolean,
];

export interface ScoreRows {
  /** Titles of the texts before the scores, with commas between, and the texts of a row. */
  readonly titles: string;
  readonly texts: (row: number) => string;
  readonly columns: readonly ScoreColumn[];
  /** 0 where a row is nullified. */
  readonly rank: Uint32Array;
  /** A last column, where there is one. */
  readonly selected?: readonly boolean[];
}

/** The variables of a ranking as CSV, in input order, piece by piece. What is null in the document is an empty cell. */
export function rankCsv({ variables }: RateResult): Generator<string> {
  const { names, rank } = variables;
  return scoreCsv({
    ...{ titles: "name", texts: (j) => csvCellOfText(names[j]), rank },
    columns: variableColumns(variables),
  });
}

export function variableColumns({
  rank,
  rate,
  kld,
  kldExact,
  mutualInformation,
  mean,
  sd,
}: RateResult["variables"]): ScoreColumn[] {
  return [
    ...Object.entries({ rank, rate, kld, kldExact, mutualInformation }),
    ["mean", mean, true],
    ["sd", sd, true],
  ];
}

/**
 * One line per row: texts, scores, and whether it was selected; what is not there is an empty cell. Straight from the columns, for an object each of a million
 * rows would cost more than its numbers. These become text a row at a time by JSON.stringify: String() keeps each in a cache, out of which a million of
 * them grow old.
 */
export function* scoreCsv({
  titles,
  texts,
  columns,
  rank,
  selected,
}: ScoreRows): Generator<string> {
  yield `${[titles, ...columns.map(([title]) => title), ...(selected ? ["selected"] : [])].join(",")}\n`;
  for (let from = 0; from < rank.length; from += PIECE) {
    let piece = "";
    for (let j = from; j < Math.min(from + PIECE, rank.length); j++) {
      const cells = columns.map(([, values, always]) =>
        values === null || (rank[j] === 0 && !always) ? null : values[j],
      );
      // NaN is null in JSON.
      const row = JSON.stringify(cells).slice(1, -1).replaceAll("null", "");
      piece += `${texts(j)},${row}${selected ? `,${selected[j]}` : ""}\n`;
    }
    yield piece;
  }
}
