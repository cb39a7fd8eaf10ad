import type { RateResult } from "@ratewise/core";
import type { PermutationSelection } from "@ratewise/core/select";
import { csvCellOfText } from "@ratewise/files";
import { type ScoreColumn, scoreCsv, variableColumns } from "../../output/rank-csv.ts";
import type { BimVariants } from "./bim-variants.ts";

export interface MoreColumns {
  /** Of genotypes: where the variants lie and what their alleles are. */
  readonly variants: BimVariants | null;
  /** Of genotypes: mean copies of A1. */
  readonly copies: Float64Array | null;
  /** Shares of the mean squared gradients of a network that was trained here. */
  readonly direct: Float64Array | null;
  readonly selection: PermutationSelection | null;
}

/** The variables as CSV in the order of X, piece by piece; of genotypes with place, alleles and frequency of A1. */
export function importanceCsv(
  { variables }: RateResult,
  { variants, copies, direct, selection }: MoreColumns,
): Generator<string> {
  const { names, rank } = variables;
  const columns: ScoreColumn[] = [
    ...(copies ? [["a1Frequency", copies.map((c) => c / 2), true] as const] : []),
    ...variableColumns(variables),
    ...(direct ? [["direct", direct, true] as const] : []),
    ...selectionColumns(selection),
  ];
  const texts = (j: number): string =>
    variants
      ? `${csvCellOfText(names[j])},${csvCellOfText(variants.chromosome(j))},${variants.positions[j]},${csvCellOfText(variants.allele1(j))},${csvCellOfText(variants.allele2(j))}`
      : csvCellOfText(names[j]);
  const titles = variants ? "name,chromosome,position,a1,a2" : "name";
  return scoreCsv({ ...{ titles, texts, columns, rank }, ...selectedOf(selection) });
}

/** The groups as CSV, in the order of their file. */
export function groupsCsv(
  { names, sizes, rank, rate, kld, kldExact, mutualInformation }: NonNullable<RateResult["groups"]>,
  selection: PermutationSelection | null,
): Generator<string> {
  return scoreCsv({
    ...{ titles: "name", texts: (g) => csvCellOfText(names[g]), rank },
    columns: [
      ["size", sizes, true],
      ...Object.entries({ rank, rate, kld, kldExact, mutualInformation }),
      ...selectionColumns(selection),
    ],
    ...selectedOf(selection),
  });
}

function selectionColumns(selection: PermutationSelection | null): ScoreColumn[] {
  return selection
    ? [
        ["pValue", selection.pValues],
        ["qValue", selection.qValues],
      ]
    : [];
}

function selectedOf(selection: PermutationSelection | null): {
  readonly selected?: readonly boolean[];
} {
  return selection ? { selected: selection.selected } : {};
}
