/** Of how many cells: "all 8 cells", "both cells", "3 of 8 cells", "none of 2 cells". */
export function ofCells(count: number, cells: number): string {
  if (count === 0) return cells === 1 ? "no cell" : `none of ${cells} cells`;
  if (count < cells) return `${count} of ${cells} cells`;
  return cells === 1 ? "the one cell" : cells === 2 ? "both cells" : `all ${cells} cells`;
}

/** "+0.012", with a sign unless it is nothing. */
export function signed(value: number): string {
  const size = Math.abs(value).toFixed(3);
  return `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}`;
}

/** "−0.023 to −0.015". */
export const signedRange = (values: readonly number[]): string =>
  values.length === 1
    ? signed(values[0])
    : `${signed(Math.min(...values))} to ${signed(Math.max(...values))}`;

/** "0.73 to 0.97". */
export const areaRange = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;

/** Several counts of rows as words: "3,000, 10,000 and 30,000". */
export function rowsText(sizes: readonly number[]): string {
  const words = sizes.map((size) => size.toLocaleString("en"));
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
