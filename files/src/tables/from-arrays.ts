import { type Column, RatewiseError, type Table, table } from "@ratewise/core";
import { type IdxArray, type NpyArray, readIdx, readNpy } from "@ratewise/core/data";
import { readNpz } from "../npz.ts";
import { within } from "../within.ts";
import { type TableFormat, uncompressedName } from "./format.ts";

/** An array of rows as columns: images become one column per pixel, r3c14 in row 3, column 14 from 0. */
function columnsOfArray(
  where: string,
  { shape, data }: NpyArray | IdxArray,
  names?: readonly string[],
): Column[] {
  const rows = shape[0] ?? 0;
  const width = shape.slice(1).reduce((product, n) => product * n, 1);
  if (shape.length < 2 || rows === 0 || width === 0)
    throw new RatewiseError("shape", {
      at: where,
      what: `needs rows and columns, got shape (${shape.join(", ")})`,
      shape,
    });
  if (names && names.length !== width)
    throw new RatewiseError("shape", {
      at: where,
      what: `needs ${width} names, got ${names.length}`,
    });
  return Array.from({ length: width }, (_, j) => {
    const name = names?.[j] ?? nameOfCell(shape, j);
    return columnOf(where, name, rows, (i) => data[i * width + j]);
  });
}

/** x1, x2, … of a table, r0c0 … of images, r0c0d0 … where they have colours. */
function nameOfCell(shape: readonly number[], at: number): string {
  if (shape.length === 2) return `x${at + 1}`;
  let rest = at;
  const places: number[] = [];
  for (let d = shape.length - 1; d > 0; d--) {
    places.unshift(rest % shape[d]);
    rest = Math.floor(rest / shape[d]);
  }
  return places.map((place, d) => `${"rcde"[d] ?? "_"}${place}`).join("");
}

function columnOf(
  where: string,
  name: string,
  rows: number,
  value: (row: number) => number | string,
): Column {
  if (typeof value(0) === "string") {
    const levels = new Map<string, number>();
    const codes = Int32Array.from({ length: rows }, (_, i) => {
      const text = value(i) as string;
      if (text === "") return -1;
      if (!levels.has(text)) levels.set(text, levels.size);
      return levels.get(text)!;
    });
    return { kind: "category", name, levels: [...levels.keys()], codes };
  }
  const values = Float64Array.from({ length: rows }, (_, i) => value(i) as number);
  const infinite = values.findIndex((v) => Math.abs(v) === Number.POSITIVE_INFINITY);
  if (infinite >= 0)
    throw new RatewiseError("domain", {
      at: where,
      what: `column "${name}" holds ${values[infinite]} in row ${infinite + 1}`,
      advice: "only finite numbers can be used",
      row: infinite + 1,
      column: name,
    });
  return { kind: "number", name, values };
}

/** The table in a .npy or IDX file. */
export function tableOfArray(
  path: string,
  bytes: Uint8Array,
  format: "npy" | "idx",
  names?: readonly string[],
): Table {
  const array = within(path, () => (format === "idx" ? readIdx(bytes) : readNpy(bytes)));
  return table(columnsOfArray(path, array, names));
}

/**
 * The table in an .npz file: its two-dimensional array X (or the only one), with the array called `target` as
 * one more column; or, where all arrays have one dimension, one column each. `ignored` hears of the rest.
 */
export function tableOfNpz(
  path: string,
  bytes: Uint8Array,
  target: string | undefined,
  names: readonly string[] | undefined,
  ignored: (name: string) => void,
): Table {
  const arrays = within(path, () => readNpz(bytes));
  const tables = [...arrays].filter(([, { shape }]) => shape.length > 1);
  const chosen = tables.length === 1 ? tables[0] : tables.find(([name]) => /^x$/i.test(name));
  if (!chosen && tables.length > 0)
    throw new RatewiseError("domain", {
      at: path,
      what: `needs one array of rows and columns, or one called X, got ${tables.map(([name]) => name).join(", ")}`,
    });
  const lists = [...arrays].filter(([, { shape }]) => shape.length === 1);
  if (!chosen) {
    if (lists.length === 0)
      throw new RatewiseError("domain", { at: path, what: "there are no arrays in it" });
    return within(path, () =>
      table(lists.map(([name, { shape, data }]) => columnOf(path, name, shape[0], (i) => data[i]))),
    );
  }
  const stored = lists.find(([name]) => /^(names|feature_names|columns)$/i.test(name))?.[1].data;
  const own = stored && !ArrayBuffer.isView(stored) ? (stored as readonly string[]) : undefined;
  const columns = columnsOfArray(`${path}: ${chosen[0]}`, chosen[1], names ?? own);
  const rows = chosen[1].shape[0];
  for (const [name, { shape, data }] of lists) {
    if (name === target) columns.push(columnOf(path, name, shape[0], (i) => data[i]));
    else if (data !== stored) ignored(name);
  }
  const short = columns.at(-1)!;
  const length = short.kind === "number" ? short.values.length : short.codes.length;
  if (length !== rows)
    throw new RatewiseError("shape", {
      at: path,
      what: `needs one value of "${short.name}" per row, ${rows} in all, got ${length}`,
    });
  return within(path, () => table(columns));
}

const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A response that stands in a file of its own, one value per row; called like the file. */
export function responseOfFile(
  path: string,
  bytes: Uint8Array,
  format: TableFormat,
  rows: number,
): Column {
  const { shape, data } = within(path, () => (format === "idx" ? readIdx(bytes) : readNpy(bytes)));
  const flat = shape.length === 1 || (shape.length === 2 && shape[1] === 1);
  if (!flat || shape[0] !== rows)
    throw new RatewiseError("shape", {
      at: path,
      what: `needs one value per row, ${rows} in all, got shape (${shape.join(", ")})`,
    });
  const name = format === "idx" ? "label" : fileName(uncompressedName(path)).replace(/\.npy$/i, "");
  return columnOf(path, name, rows, (i) => data[i]);
}
