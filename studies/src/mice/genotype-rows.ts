import type { Rows } from "@ratewise/core/network";
import type { Mice } from "./read-mice.ts";

/** Means and 1/standard deviations of the variants among some mice; 0 where all are alike. */
export interface Scales {
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

export function scalesOf({ genotypes, variants, mice }: Mice, rows: ArrayLike<number>): Scales {
  const mean = new Float64Array(variants.length);
  const scale = new Float64Array(variants.length);
  for (let v = 0; v < variants.length; v++) {
    let sum = 0;
    let square = 0;
    for (let i = 0; i < rows.length; i++) {
      const copies = genotypes[v * mice + rows[i]];
      sum += copies;
      square += copies * copies;
    }
    mean[v] = sum / rows.length;
    const variance = (square - sum * mean[v]) / (rows.length - 1);
    scale[v] = variance > 0 ? 1 / Math.sqrt(variance) : 0;
  }
  return { mean, scale };
}

/** Genotypes of some mice, standardised, in single precision: what networks are trained on. */
export function genotypeRows(
  { genotypes, variants, mice }: Mice,
  rows: ArrayLike<number>,
  { mean, scale }: Scales,
): Rows & { readonly data: Float32Array } {
  const p = variants.length;
  const data = new Float32Array(rows.length * p);
  for (let v = 0; v < p; v++)
    for (let i = 0; i < rows.length; i++)
      data[i * p + v] = (genotypes[v * mice + rows[i]] - mean[v]) * scale[v];
  return { data, rows: rows.length, cols: p };
}
