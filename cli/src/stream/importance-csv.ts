import type { PermutationSelection, RateResult } from "@ratewise/core";
import { csvCellOfText } from "@ratewise/files";
import type { BimVariants } from "./bim-variants.ts";

/** Rows that go into one piece of text: short enough that pieces die young in the collector's memory. */
const PIECE = 200;

export interface MoreColumns {
  /** Of genotypes: where the variants lie and what their alleles are. */
  readonly variants: BimVariants | null;
  /** Of genotypes: mean copies of A1. */
  readonly copies: Float64Array | null;
  /** Shares of the mean squared gradients of a network that was trained here. */
  readonly direct: Float64Array | null;
  readonly selection: PermutationSelection | null;
}

type Numbers = readonly [
  title: string,
  values: ArrayLike<number> | null,
  /** Whether a nullified variable has one too. */
  always?: boolean,
];

/** The variables as CSV in the order of X, piece by piece; of genotypes with place, alleles and frequency of A1. */
export function importanceCsv(
  { variables }: RateResult,
  { variants, copies, direct, selection }: MoreColumns,
): Generator<string> {
  const { names, rank, rate, kld, kldExact, mutualInformation, mean, sd } = variables;
  const numbers: Numbers[] = [
    ...(copies ? [["a1Frequency", copies.map((c) => c / 2), true] as const] : []),
    ...(Object.entries({ rank, rate, kld, kldExact, mutualInformation }) as Numbers[]),
    ...([
      ["mean", mean, true],
      ["sd", sd, true],
    ] as const),
    ...(direct ? [["direct", direct, true] as const] : []),
    ...selectionColumns(selection),
  ];
  const text = (j: number): string =>
    variants
      ? `${csvCellOfText(names[j])},${csvCellOfText(variants.chromosome(j))},${variants.positions[j]},${csvCellOfText(variants.allele1(j))},${csvCellOfText(variants.allele2(j))}`
      : csvCellOfText(names[j]);
  const first = variants ? "name,chromosome,position,a1,a2" : "name";
  return csvOf(first, text, numbers, rank, selection);
}

/** The groups as CSV, in the order of their file. */
export function groupsCsv(
  { names, sizes, rank, rate, kld, kldExact, mutualInformation }: NonNullable<RateResult["groups"]>,
  selection: PermutationSelection | null,
): Generator<string> {
  const numbers: Numbers[] = [
    ["size", sizes, true],
    ...(Object.entries({ rank, rate, kld, kldExact, mutualInformation }) as Numbers[]),
    ...selectionColumns(selection),
  ];
  return csvOf("name", (g) => csvCellOfText(names[g]), numbers, rank, selection);
}

function selectionColumns(selection: PermutationSelection | null): Numbers[] {
  return selection
    ? [
        ["pValue", selection.pValues],
        ["qValue", selection.qValues],
      ]
    : [];
}

/**
 * A line a row: texts, numbers, and whether it was selected; what is not there is an empty cell. Numbers become text a row at a time
 * by JSON.stringify: String() keeps each in a cache, out of which a million of them grow old.
 */
function* csvOf(
  titles: string,
  text: (row: number) => string,
  numbers: readonly Numbers[],
  rank: Uint32Array,
  selection: PermutationSelection | null,
): Generator<string> {
  yield `${[titles, ...numbers.map(([title]) => title), ...(selection ? ["selected"] : [])].join(",")}\n`;
  for (let from = 0; from < rank.length; from += PIECE) {
    let piece = "";
    for (let j = from; j < Math.min(from + PIECE, rank.length); j++) {
      const cells = numbers.map(([, values, always]) =>
        values === null || (rank[j] === 0 && !always) ? null : values[j],
      );
      // NaN is null in JSON.
      const row = JSON.stringify(cells).slice(1, -1).replaceAll("null", "");
      piece += `${text(j)},${row}${selection ? `,${selection.selected[j]}` : ""}\n`;
    }
    yield piece;
  }
}
