/** Names of the numbers of a row: x1, x2, … of a list, r0c0 … of images, r0c0d0 … where they have colours. */
export function cellNames(rowShape: readonly number[]): string[] {
  const size = rowShape.reduce((product, n) => product * n, 1);
  if (rowShape.length === 1) return Array.from({ length: size }, (_, j) => `x${j + 1}`);
  return Array.from({ length: size }, (_, at) => {
    let rest = at;
    let name = "";
    for (let d = rowShape.length - 1; d >= 0; d--) {
      name = `${"rcde"[d] ?? "_"}${rest % rowShape[d]}${name}`;
      rest = Math.floor(rest / rowShape[d]);
    }
    return name;
  });
}
