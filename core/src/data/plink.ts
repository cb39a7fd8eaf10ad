import { RatewiseError } from "../errors.ts";

/** A row of a .fam file: who was genotyped. */
export interface Sample {
  readonly family: string;
  readonly individual: string;
  /** The sixth column as it stands: −9 or 0 is missing, 1 and 2 are control and case. */
  readonly phenotype: string;
}

/** A row of a .bim file: what was genotyped. Positions are 1-based, 0 where unknown. */
export interface GeneticVariant {
  readonly chromosome: string;
  readonly id: string;
  readonly position: number;
  /** A1, whose copies are counted. */
  readonly allele1: string;
  readonly allele2: string;
}

/** Genotypes as they lie in a .bed file: ⌈samples/4⌉ bytes per variant. */
export interface BedGenotypes {
  readonly bed: Uint8Array;
  readonly snps: number;
  readonly samples: number;
}

/** 0x6c 0x1b, then 1 for variant-major order. */
const MAGIC = [0x6c, 0x1b];

/** Copies of A1 by the two bits of a sample, lowest first; 01 is missing. */
const COPIES = Float64Array.of(2, Number.NaN, 1, 0);

/**
 * The genotypes of a PLINK 1 .bed file, without a copy. The size has to be 3 + variants·⌈samples/4⌉ bytes.
 * Source: https://www.cog-genomics.org/plink/1.9/formats#bed
 */
export function readBed(bytes: Uint8Array, samples: number, snps: number): BedGenotypes {
  if (bytes.length < 3 || bytes[0] !== MAGIC[0] || bytes[1] !== MAGIC[1])
    throw new RatewiseError("parse", {
      in: "readBed",
      what: "needs the bytes 6c 1b 01 at the start, got others",
      advice: "this is not a PLINK 1 .bed file",
    });
  if (bytes[2] !== 1)
    throw new RatewiseError("parse", {
      in: "readBed",
      what: `needs variant-major order (third byte 1), got ${bytes[2]}`,
      advice: "convert it with plink --make-bed",
    });
  const needed = 3 + snps * Math.ceil(samples / 4);
  if (bytes.length !== needed)
    throw new RatewiseError("parse", {
      in: "readBed",
      what: `needs ${needed} bytes for the ${samples} samples of the .fam and the ${snps} variants of the .bim file, got ${bytes.length}`,
      advice: "the three files do not belong together, or one is cut off",
      needed,
      got: bytes.length,
      samples,
      snps,
    });
  return { bed: bytes.subarray(3), snps, samples };
}

/** Copies of A1 (0, 1, 2) of every sample at one variant, NaN where missing. */
export function genotypesOf({ bed, snps, samples }: BedGenotypes, variant: number): Float64Array {
  if (!(Number.isInteger(variant) && variant >= 0 && variant < snps))
    throw new RatewiseError("domain", {
      in: "genotypesOf",
      what: `needs a variant below ${snps}, got ${variant}`,
    });
  const from = variant * Math.ceil(samples / 4);
  const copies = new Float64Array(samples);
  for (let i = 0; i < samples; i++) copies[i] = COPIES[(bed[from + (i >> 2)] >> (2 * (i & 3))) & 3];
  return copies;
}

/** The samples of a .fam file: six fields a line, with blanks between. `where` names the file. */
export function parseFam(text: string, where: string): Sample[] {
  return fieldsOfLines(text, where, 6, "family, individual, father, mother, sex, phenotype").map(
    ({ fields }) => ({ family: fields[0], individual: fields[1], phenotype: fields[5] }),
  );
}

/** The variants of a .bim file: six fields a line, with blanks between. `where` names the file. */
export function parseBim(text: string, where: string): GeneticVariant[] {
  const meaning = "chromosome, name, centimorgans, position, two alleles";
  return fieldsOfLines(text, where, 6, meaning).map(({ fields, line }) => {
    const position = Number(fields[3]);
    if (!Number.isInteger(position))
      throw new RatewiseError("parse", {
        at: `${where}, line ${line}`,
        what: `needs a whole number as the position, got "${fields[3]}"`,
        line,
      });
    return {
      chromosome: fields[0],
      id: fields[1],
      position: Math.max(0, position),
      allele1: fields[4],
      allele2: fields[5],
    };
  });
}

/**
 * One name per variant, all different: its id; where that is "." or taken, chromosome:position:A1:A2, with
 * the line's number after it if that is taken too.
 */
export function variantNames(variants: readonly GeneticVariant[]): string[] {
  const times = new Map<string, number>();
  for (const { id } of variants) times.set(id, (times.get(id) ?? 0) + 1);
  const taken = new Set<string>();
  return variants.map(({ id, chromosome, position, allele1, allele2 }, i) => {
    const place = `${chromosome}:${position}:${allele1}:${allele2}`;
    let name = id === "." || times.get(id)! > 1 ? place : id;
    if (taken.has(name)) name = `${place}:${i + 1}`;
    taken.add(name);
    return name;
  });
}

function fieldsOfLines(
  text: string,
  where: string,
  count: number,
  meaning: string,
): { readonly fields: string[]; readonly line: number }[] {
  const rows: { fields: string[]; line: number }[] = [];
  text.split(/\r\n|\n|\r/).forEach((content, i) => {
    const fields = content.trim().split(/\s+/);
    if (fields.length === 1 && fields[0] === "") return;
    if (fields.length !== count)
      throw new RatewiseError("parse", {
        at: `${where}, line ${i + 1}`,
        what: `needs ${count} fields (${meaning}), got ${fields.length}`,
        line: i + 1,
      });
    rows.push({ fields, line: i + 1 });
  });
  if (rows.length === 0) throw new RatewiseError("parse", { at: where, what: "the file is empty" });
  return rows;
}
