import { hypergeometricTail } from "./enrichment.ts";
import type { GeneNull } from "./gene-null.ts";
import type { Gene } from "./genes.ts";
import { FDR } from "./trait-plan.ts";

/** Apolipoprotein A-II, at 171.2 Mb of chromosome 1, with its neighbourhood: linkage in these mice reaches over millions of bases. */
export const APOA2 = { chromosome: "1", from: 166_000_000, to: 176_000_000 } as const;

/** Where that is, in words. */
export const APOA2_PLACE: string = `chromosome ${APOA2.chromosome}, ${APOA2.from / 1e6} to ${APOA2.to / 1e6} Mb`;

/** Whether a stretch, or a place, lies in the neighbourhood of Apoa2. */
export function nearApoa2(chromosome: string, from: number, to: number = from): boolean {
  return chromosome === APOA2.chromosome && to >= APOA2.from && from <= APOA2.to;
}

export interface RegionHits {
  /** Genes of the region, and those of them among the hits. */
  readonly genes: number;
  readonly hits: number;
  readonly least: number;
  /** Hits among all genes. */
  readonly allHits: number;
  /** P(as many hits or more) in as many genes drawn at random, as though neighbours were independent. */
  readonly pValue: number;
  /** Runs of as many neighbouring genes elsewhere, on one chromosome, and those with as many hits or more: neighbours pass together, which these allow for. */
  readonly runs: number;
  readonly runsAlike: number;
}

/** Genes around Apoa2 among the hits of a null, beside what is found elsewhere. Genes are in the order of the chromosomes. */
export function apoa2({ pValues, qValues }: GeneNull, genes: readonly Gene[]): RegionHits {
  const region = [...genes.keys()].filter((g) =>
    nearApoa2(genes[g].place.chromosome, genes[g].place.position),
  );
  const isHit = genes.map((_, g) => (qValues[g] <= FDR ? 1 : 0) as number);
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  const hits = sum(region.map((g) => isHit[g]));
  const allHits = sum(isHit);
  const runs = [...genes.keys()].filter(
    (g) =>
      g + region.length <= genes.length &&
      (g + region.length <= region[0] || g > region[region.length - 1]) &&
      genes[g].place.chromosome === genes[g + region.length - 1].place.chromosome,
  );
  return {
    genes: region.length,
    hits,
    least: Math.min(...region.map((g) => pValues[g])),
    allHits,
    pValue: hypergeometricTail(genes.length, allHits, region.length, hits),
    runs: runs.length,
    runsAlike: runs.filter((g) => sum(isHit.slice(g, g + region.length)) >= hits).length,
  };
}
