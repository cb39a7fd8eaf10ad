import { type CategoryColumn, type Residuals, regressOut } from "@ratewise/core/data";
import type { Mice } from "./read-mice.ts";

/** What may be taken out of a trait beside sex. */
export const mouseCovariates = ["cage", "litter"] as const;
export type MouseCovariate = (typeof mouseCovariates)[number];

/** The trait less sex and the covariates asked for, over the mice that have all of them. Litters are families: their means hold heredity too. */
export function traitResiduals(
  mice: Mice,
  trait: string,
  covariates: readonly MouseCovariate[],
): Residuals {
  const columns: Record<MouseCovariate, CategoryColumn> = {
    cage: mice.cage,
    litter: categoryOf("litter", mice.litter),
  };
  return regressOut(mice.traits.get(trait)!, [
    mice.sex,
    ...covariates.map((name) => columns[name]),
  ]);
}

function categoryOf(name: string, labels: readonly string[]): CategoryColumn {
  const levels = [...new Set(labels)];
  const place = new Map(levels.map((level, code) => [level, code]));
  return {
    kind: "category",
    name,
    levels,
    codes: Int32Array.from(labels, (label) => place.get(label)!),
  };
}
