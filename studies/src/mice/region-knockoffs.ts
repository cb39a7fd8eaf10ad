import { fold, type Key, type Matrix, matrix, type RunOptions } from "@ratewise/core";
import { dot } from "@ratewise/core/linalg";
import { type Rows, saliency } from "@ratewise/core/network";
import { type Score, selectByKnockoffs } from "@ratewise/core/select";
import { scalesOf } from "./genotype-rows.ts";
import { type TraitRows, trainOnGenotypes } from "./network.ts";
import type { Mice } from "./read-mice.ts";

/** A stretch of a chromosome, and SNPs that stand for all of its SNPs. */
export interface Region {
  readonly chromosome: string;
  readonly from: number;
  readonly to: number;
  readonly tags: readonly number[];
}

/** In bases. Linkage in these mice reaches over millions: copies of shorter stretches would be nearly the stretches themselves. */
const LENGTH = 5_000_000;
/** A SNP that follows a tag of its region more closely than this adds nothing to it. */
const ALIKE = 0.8;

/** Stretches of 5 Mb with a SNP of known place, in the order of the variants. Tags are chosen from left to right, without the trait. */
export function regionsOf(mice: Mice, rows: ArrayLike<number>): Region[] {
  const columns = standardisedColumns(mice, rows);
  const regions = new Map<string, { chromosome: string; from: number; tags: number[] }>();
  mice.variants.forEach(({ chromosome, position }, v) => {
    if (position <= 0 || columns[v] === null) return;
    const from = Math.floor(position / LENGTH) * LENGTH;
    const own = regions.get(`${chromosome}:${from}`) ?? { chromosome, from, tags: [] };
    regions.set(`${chromosome}:${from}`, own);
    const known = own.tags.some((tag) => Math.abs(dot(columns[tag]!, columns[v]!)) >= ALIKE);
    if (!known) own.tags.push(v);
  });
  return [...regions.values()].map((region) => ({ ...region, to: region.from + LENGTH }));
}

export interface RegionSelection {
  /** W of each region. */
  readonly statistics: Float64Array;
  /** The smallest rate at which each would be selected. */
  readonly qValues: Float64Array;
}

export interface RegionKnockoffOptions extends RunOptions {
  readonly key: Key;
  readonly epochs: number;
  readonly fdr: number;
}

/**
 * Regions that a network prefers to their copies. Copies are Gaussian with the regions' tags exchanged whole (first two moments of the genotypes); the score is
 * the mean squared gradient over a region's tags, of one network trained on tags and copies together. The guarantee is about regions given all others, as far as
 * mice are independent draws, which relatives are not.
 */
export async function selectRegions(
  mice: Mice,
  { rows, y }: TraitRows,
  regions: readonly Region[],
  { key, epochs, fdr, ...run }: RegionKnockoffOptions,
): Promise<RegionSelection> {
  const tags = regions.flatMap(({ tags: own }) => own);
  const X = genotypes(mice, rows, tags);
  let at = 0;
  const groups = regions.map(({ tags: own }) => own.map(() => at++));
  const score: Score = async (both, response, own, { units, ...within }) => {
    const Z = standardised(both);
    const network = await trainOnGenotypes(Z, response, own, epochs, within);
    const slopes = await saliency([network], Z, {
      ...within,
      method: "gradient",
      precision: "single",
    });
    const squares = new Float64Array(Z.cols);
    for (let e = 0; e < slopes.data.length; e++)
      squares[e % Z.cols] += slopes.data[e] ** 2 / Z.rows;
    return Float64Array.from(units, (unit) => unit.reduce((sum, j) => sum + squares[j], 0));
  };
  const { statistics, qValues } = await selectByKnockoffs(X, y, {
    ...run,
    ...{ score, fdr, groups, copies: { kind: "gaussian" } as const },
    key: fold(key, "knockoffs"),
  });
  return { statistics: statistics[0], qValues: qValues! };
}

function genotypes(
  { genotypes: all, mice }: Mice,
  rows: ArrayLike<number>,
  variants: readonly number[],
): Matrix {
  const out = matrix(rows.length, variants.length);
  variants.forEach((v, j) => {
    for (let i = 0; i < rows.length; i++)
      out.data[i * variants.length + j] = all[v * mice + rows[i]];
  });
  return out;
}

/** Columns of unit length around their means; null where all mice are alike. */
function standardisedColumns(mice: Mice, rows: ArrayLike<number>): (Float64Array | null)[] {
  const { mean, scale } = scalesOf(mice, rows);
  const root = Math.sqrt(rows.length - 1);
  return mice.variants.map((_, v) =>
    scale[v] === 0
      ? null
      : Float64Array.from(
          { length: rows.length },
          (__, i) => ((mice.genotypes[v * mice.mice + rows[i]] - mean[v]) * scale[v]) / root,
        ),
  );
}

function standardised({ data, rows, cols }: Matrix): Rows {
  const mean = new Float64Array(cols);
  const square = new Float64Array(cols);
  for (let e = 0; e < data.length; e++) mean[e % cols] += data[e] / rows;
  for (let e = 0; e < data.length; e++) square[e % cols] += (data[e] - mean[e % cols]) ** 2;
  const out = new Float32Array(rows * cols);
  for (let e = 0; e < data.length; e++) {
    const spread = square[e % cols];
    out[e] = spread > 0 ? (data[e] - mean[e % cols]) * Math.sqrt((rows - 1) / spread) : 0;
  }
  return { data: out, rows, cols };
}
