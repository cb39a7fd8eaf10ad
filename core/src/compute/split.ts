/** [start, end) pieces of 0…total−1, at most `parts`, cut at multiples of `align`. */
export function splitEvenly(total: number, parts: number, align: number): [number, number][] {
  return splitAt(total, parts, align, (part) => part / parts);
}

/** The same for the rows of a lower triangle: shares of its area. */
export function splitTriangle(rows: number, parts: number, align: number): [number, number][] {
  return splitAt(rows, parts, align, (part) => Math.sqrt(part / parts));
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
    if (end > start) pieces.push([start, end]);
    start = end;
  }
  return pieces;
}
