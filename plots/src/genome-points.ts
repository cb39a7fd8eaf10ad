/** Variants and their shares by number: of a million there is no object each. */
export interface VariantShares {
  readonly count: number;
  readonly name: (variant: number) => string;
  readonly share: (variant: number) => number;
  readonly chromosome: (variant: number) => string;
  /** Null where it is not known: such variants are left out. */
  readonly position: (variant: number) => number | null;
}

export interface Chromosome {
  readonly name: string;
  /** In base pairs from the left end of the drawing. */
  readonly start: number;
  readonly length: number;
}

export interface GenomePoint {
  readonly name: string;
  readonly x: number;
  readonly share: number;
  /** Whether every other chromosome is this one's. */
  readonly odd: boolean;
}

export interface GenomePoints {
  readonly chromosomes: readonly Chromosome[];
  /** Variants that have a place. */
  readonly placed: number;
  /** Base pairs from end to end, and the largest share. */
  readonly whole: number;
  readonly most: number;
  readonly shown: readonly GenomePoint[];
  readonly leading: readonly GenomePoint[];
  /** Pixels a side of the cells of which one point each is shown. */
  readonly cell: number;
  /** The share at which a logarithmic axis begins; 0 of a straight one. */
  readonly least: number;
  /** Where a share stands on the axis: 0 at its lower end, 1 at the largest share. */
  readonly level: (share: number) => number;
}

export interface GenomeLayout {
  /** Pixels of the drawing within its margins. */
  readonly width: number;
  readonly height: number;
  /** A logarithmic axis begins at this share, and smaller ones stand there; a straight one from 0 where undefined or above all shares. */
  readonly logarithmicFrom?: number | undefined;
  /** How many are named, and of which names; all where undefined. */
  readonly named: number;
  readonly labelled: ReadonlySet<string> | undefined;
}

/** Names are given to shares above this part of the largest: lower ones would lie on top of each other. */
const LEAST_NAMED = 0.1;
/** Pixels within which a name is that of all, and those of a letter across and up. */
const [BESIDE, LETTER, LINE] = [24, 7.5, 18];
/** Points of a drawing: cells grow until there are no more. */
const MOST_SHOWN = 4000;

/**
 * What is drawn of variants along their chromosomes: of those in the same cell the one with the largest share. Cells are a pixel, or as many as leave
 * some thousand points, whatever the number of variants. O(count).
 */
export function genomePoints(variants: VariantShares, layout: GenomeLayout): GenomePoints {
  const { width, height, named, labelled } = layout;
  const { name, share } = variants;
  const { chromosomes, place, placed } = placesOf(variants);
  const end = chromosomes.at(-1);
  const whole = end ? end.start + end.length : 1;
  let most = 1e-12;
  for (let v = 0; v < variants.count; v++) if (place.known(v)) most = Math.max(most, share(v));
  const { logarithmicFrom: from = 0 } = layout;
  const least = from > 0 && from < most ? from : 0;
  const level = levelsOf(least, most);
  const { best, cell } = cellsOf(variants, place, [width, height], { whole, level });
  const point = (v: number): GenomePoint => ({
    ...{ name: name(v), share: share(v), x: place.x(v), odd: place.chromosome(v) % 2 === 1 },
  });
  const high: number[] = [];
  for (let v = 0; v < variants.count; v++)
    if (place.known(v) && share(v) > LEAST_NAMED * most && (labelled?.has(name(v)) ?? true))
      high.push(v);
  return {
    ...{ chromosomes, placed, whole, most, cell, least, level },
    shown: best.map(point),
    leading: apart(
      variants,
      high.sort((a, b) => share(b) - share(a)),
      named,
      {
        x: (v) => (place.x(v) / whole) * width,
        y: (v) => level(share(v)) * height,
      },
    ).map(point),
  };
}

/** Straight from 0, or by logarithms from `least`. */
function levelsOf(least: number, most: number): GenomePoints["level"] {
  if (least === 0) return (share) => Math.max(0, share) / most;
  return (share) => (share > least ? Math.log(share / least) / Math.log(most / least) : 0);
}

/**
 * The first of these that do not stand beside one before, for neighbours rise together, and whose names do not lie on one before. x and y in pixels.
 */
function apart(
  { name }: VariantShares,
  order: readonly number[],
  most: number,
  { x, y }: { readonly x: (variant: number) => number; readonly y: (variant: number) => number },
): readonly number[] {
  const taken: number[] = [];
  const isApart = (v: number, other: number): boolean => {
    const across = Math.abs(x(v) - x(other));
    const names = (LETTER * (name(v).length + name(other).length)) / 2;
    return across > BESIDE && (across > names || Math.abs(y(v) - y(other)) > LINE);
  };
  for (const v of order) {
    if (taken.length === most) break;
    if (taken.every((other) => isApart(v, other))) taken.push(v);
  }
  return taken;
}

interface Places {
  readonly known: (variant: number) => boolean;
  /** Number of its chromosome. */
  readonly chromosome: (variant: number) => number;
  readonly x: (variant: number) => number;
}

/** Chromosomes in the order of their first variant, one after another with a gap. */
function placesOf({ count, chromosome, position }: VariantShares): {
  readonly chromosomes: readonly Chromosome[];
  readonly place: Places;
  readonly placed: number;
} {
  const index = new Map<string, number>();
  const ends: number[] = [];
  const own = new Int32Array(count).fill(-1);
  let placed = 0;
  for (let v = 0; v < count; v++) {
    const at = position(v);
    if (at === null) continue;
    placed++;
    const name = chromosome(v);
    let c = index.get(name);
    if (c === undefined) {
      c = index.size;
      index.set(name, c);
      ends.push(1);
    }
    own[v] = c;
    ends[c] = Math.max(ends[c], at);
  }
  const gap = ends.reduce((sum, end) => sum + end, 0) / 200;
  let start = 0;
  const chromosomes = [...index.keys()].map((name, c) => {
    const made = { name, start, length: ends[c] };
    start += ends[c] + gap;
    return made;
  });
  return {
    chromosomes,
    placed,
    place: {
      known: (v) => own[v] >= 0,
      chromosome: (v) => own[v],
      x: (v) => chromosomes[own[v]].start + position(v)!,
    },
  };
}

/** The variant with the largest share of every cell that has one, from left to right. */
function cellsOf(
  { count, share }: VariantShares,
  place: Places,
  [width, height]: readonly [number, number],
  { whole, level }: Pick<GenomePoints, "whole" | "level">,
): { readonly best: number[]; readonly cell: number } {
  for (let cell = 1; ; cell++) {
    const rows = Math.ceil(height / cell) + 1;
    const held = new Int32Array((Math.ceil(width / cell) + 1) * rows).fill(-1);
    for (let v = 0; v < count; v++) {
      if (!place.known(v)) continue;
      const column = Math.floor(((place.x(v) / whole) * width) / cell);
      const row = Math.floor((level(share(v)) * height) / cell);
      const at = column * rows + row;
      if (held[at] < 0 || share(v) > share(held[at])) held[at] = v;
    }
    const best = [...held.filter((v) => v >= 0)];
    if (best.length <= MOST_SHOWN) return { best, cell };
  }
}
