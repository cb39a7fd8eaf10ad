import { RatewiseError } from "@ratewise/core";
import type { Position } from "@ratewise/core/data";

/** The lines of a .bim file by columns, texts that come again and again only once: of a million variants little more than their names. */
export interface BimVariants {
  /** All different, as variantNames gives them. */
  readonly names: readonly string[];
  readonly chromosome: (variant: number) => string;
  /** 0 where unknown. */
  readonly positions: Int32Array;
  /** A1, whose copies are counted, and A2. */
  readonly allele1: (variant: number) => string;
  readonly allele2: (variant: number) => string;
}

/**
 * The variants of a .bim file without an object a line. A name is the id; where that is "." or taken, chromosome:position:A1:A2, with the line's
 * number after it if that is taken too.
 */
export function bimVariants(text: string, where: string): BimVariants {
  const most = linesAtMost(text);
  const names: string[] = [];
  const positions = new Int32Array(most);
  const [chromosomes, first, second] = [coded(most), coded(most), coded(most)];
  const ids = new Set<string>();
  const repeated = new Set(["."]);
  for (const [chromosome, id, , position, a1, a2] of linesOf(text, where)) {
    const j = names.length;
    chromosomes.set(j, chromosome);
    first.set(j, a1);
    second.set(j, a2);
    positions[j] = positionOf(position, where, j);
    if (ids.has(id)) repeated.add(id);
    else ids.add(id);
    names.push(id);
  }
  if (names.length === 0)
    throw new RatewiseError("parse", { at: where, what: "the file is empty" });
  for (let j = 0; j < names.length; j++) {
    if (!repeated.has(names[j])) continue;
    const place = `${chromosomes.get(j)}:${positions[j]}:${first.get(j)}:${second.get(j)}`;
    names[j] = ids.has(place) ? `${place}:${j + 1}` : place;
    ids.add(names[j]);
  }
  return {
    names,
    positions: positions.subarray(0, names.length),
    chromosome: chromosomes.get,
    allele1: first.get,
    allele2: second.get,
  };
}

function linesAtMost(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Where a variant lies. */
export function positionAt({ chromosome, positions }: BimVariants, variant: number): Position {
  return { chromosome: chromosome(variant), position: positions[variant] };
}

function positionOf(text: string, where: string, variant: number): number {
  const position = Number(text);
  if (!Number.isInteger(position) || position >= 2 ** 31)
    throw new RatewiseError("parse", {
      at: `${where}, variant ${variant + 1}`,
      what: `needs a whole number as the position, got "${text}"`,
      variant,
    });
  return Math.max(0, position);
}

/** Texts by number. */
function coded(count: number): {
  readonly set: (at: number, text: string) => void;
  readonly get: (at: number) => string;
} {
  const codes = new Uint32Array(count);
  const levels: string[] = [];
  const known = new Map<string, number>();
  return {
    set: (at, text) => {
      let code = known.get(text);
      if (code === undefined) {
        code = levels.length;
        levels.push(text);
        known.set(text, code);
      }
      codes[at] = code;
    },
    get: (at) => levels[codes[at]],
  };
}

/** The six fields of each line. */
function* linesOf(text: string, where: string): Generator<string[]> {
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf("\n", at);
    const end = next < 0 ? text.length : next;
    const content = text.slice(at, end).trim();
    at = end + 1;
    line++;
    if (content === "") continue;
    const fields = content.split(/\s+/);
    if (fields.length !== 6)
      throw new RatewiseError("parse", {
        at: `${where}, line ${line}`,
        what: `needs 6 fields (chromosome, name, centimorgans, position, two alleles), got ${fields.length}`,
        line,
      });
    yield fields;
  }
}
