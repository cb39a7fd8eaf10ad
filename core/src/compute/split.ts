/**
 * [start, end) pieces of 0…total−1, at most `parts`, cut at multiples of `align`: the first of them `first` of
 * the whole, which may be nothing, the others alike.
 */
export function splitEvenly(
  total: number,
  parts: number,
  align: number,
  first: number = 1 / parts,
): [number, number][] {
  return splitAt(total, parts, align, (part) => upTo(part, parts, first));
}

/** The same for the rows of a lower triangle: shares of its area. */
export function splitTriangle(
  rows: number,
  parts: number,
  align: number,
  first: number = 1 / parts,
): [number, number][] {
  return splitAt(rows, parts, align, (part) => Math.sqrt(upTo(part, parts, first)));
}

/** The share of the first `part` parts. */
function upTo(part: number, parts: number, first: number): number {
  return part === parts ? 1 : first + ((part - 1) / (parts - 1)) * (1 - first);
}

function splitAt(
  total: number,
  parts: number,
  align: number,
  place: (part: number) => number,
): [number, number][] {
  const pieces: [number, number][] = [];
  let start = 0;
  for (let part = 1; part <= parts && start < total; part++) {
    const cut = Math.ceil((total * place(part)) / align) * align;
    const end = part === parts ? total : Math.min(total, cut);
    if (end > start || part === 1) pieces.push([start, end]);
    start = end;
  }
  return pieces;
}
