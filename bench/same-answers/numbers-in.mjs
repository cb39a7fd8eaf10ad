import { columnsLeftOut } from "./renamed.mjs";

const cellsOf = (line) => line.trim().split(/ {2,}/);
const number = /^\(?-?[\d.,]*\d(e[-+]?\d+)?%?[);,]?$/i;
const numbersOf = (text) => text.split(/[\s–]+/).filter((word) => number.test(word));
const isRow = (line) => {
  const cells = cellsOf(line);
  return cells.length > 2 && cells.some((cell) => number.test(cell));
};

/** The lines of a printed page without the columns that hold times of the clock. */
export function withoutTimes(page) {
  let from = Number.POSITIVE_INFINITY;
  return page.split("\n").map((line) => {
    const cells = cellsOf(line);
    if (cells.length < 3) from = Number.POSITIVE_INFINITY;
    else if (columnsLeftOut.includes(cells.at(-1))) from = line.lastIndexOf(cells.at(-1));
    return line.slice(0, from).trimEnd();
  });
}

/** The numbers of the tables of a printed page, a list for each row; sentences do not count. */
export const tableNumbers = (page) => withoutTimes(page).filter(isRow).map(numbersOf);

const places = new Set(
  "x y x1 x2 y1 y2 cx cy dx dy width height d points transform viewBox".split(" "),
);
const styles = new Set(
  "r rx ry opacity fill-opacity stroke-opacity stroke-width stroke-dasharray font-size".split(" "),
);

/**
 * The numbers of a drawing: of its geometry, and those that are written in it on their own. Without `placed`, which is for
 * drawings whose margins follow the length of a name, how many there are of each place and all the others.
 */
export function drawingNumbers(svg, placed) {
  const found = [];
  for (const [, inside, text] of svg.matchAll(/<([^>]*)>([^<]*)/g)) {
    for (const [, name, value] of inside.matchAll(/([\w-]+)="([^"]*)"/g)) {
      const numbers = value.match(/-?\d*\.?\d+(e[-+]?\d+)?/gi) ?? [];
      if (styles.has(name) || (placed && places.has(name))) found.push(...numbers);
      else if (places.has(name)) found.push(`${name}: ${numbers.length}`);
    }
    if (number.test(text.trim())) found.push(text.trim());
  }
  return found;
}

/** The numbers of a page's tables, a list for each row. A cell's full number stands in its `data`. */
export function pageNumbers(html) {
  const rows = [...html.matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) => [
    ...[...row.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => value),
    ...numbersOf(row.replaceAll(/<svg.*?<\/svg>/gs, " ").replaceAll(/<[^>]*>/g, " ")),
  ]);
  return rows.filter((row) => row.length > 0);
}
