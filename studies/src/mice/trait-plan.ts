import { placeOf } from "../ranking.ts";
import type { Gene } from "./genes.ts";

/** What the paper prints about a trait, and what is asked of it here. */
export interface TraitPlan {
  readonly column: string;
  readonly name: string;
  /** Genes above 1/G by groupRATE, group lasso and group forest. */
  readonly paper: readonly [number, number, number];
  readonly correlation: number;
  /** Where in groupRATE the paper has Sgcz. */
  readonly sgcz: number | null;
}

export const traitPlans: readonly TraitPlan[] = [
  { column: "Biochem.HDL", name: "HDL", paper: [44, 5, 24], correlation: 0.45, sgcz: null },
  { column: "Obesity.BMI", name: "BMI", paper: [49, 11, 33], correlation: 0.18, sgcz: 1 },
];

export const PAPER_GENES = 3749;
export const FDR = 0.1;

/** Place of a gene by its share. */
export function rankOf(
  name: string,
  shares: Float64Array,
  genes: readonly Gene[],
): number | string {
  const at = genes.findIndex(({ symbols }) => symbols.includes(name));
  return at < 0 ? "no SNP" : placeOf(shares, at);
}

export const countAbove = (shares: Float64Array): number =>
  shares.filter((share) => share > 1 / shares.length).length;

export const hits = (qValues: Float64Array): number => qValues.filter((q) => q <= FDR).length;
