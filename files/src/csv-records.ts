import { RatewiseError } from "@ratewise/core";
import Papa from "papaparse";

/**
 * The records of a small delimited text with a header, every cell as it was written: no cell means "missing",
 * no text becomes a number. Columns are found by name, others are left alone. Comma, tab or semicolon.
 */
export function readCsvRecords(
  text: string,
  where: string,
  columns: readonly string[],
): readonly (readonly string[])[] {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = [",", "\t", ";"].find((mark) => header.includes(mark)) ?? ",";
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\ufeff/, ""), {
    delimiter,
    skipEmptyLines: true,
  });
  if (errors.length > 0)
    throw new RatewiseError("parse", {
      at: `${where}, record ${(errors[0].row ?? 0) + 1}`,
      what: errors[0].message,
      record: errors[0].row,
    });
  const [names = [], ...records] = data;
  const places = columns.map((column) => names.findIndex((name) => name.trim() === column));
  if (places.includes(-1))
    throw new RatewiseError("parse", {
      at: where,
      what: `needs a header with ${columns.join(delimiter)}, got ${JSON.stringify(header.slice(0, 80))}`,
    });
  return records.map((record, i) => {
    const cells = places.map((place) => record[place]);
    const missing = cells.findIndex((cell) => cell === undefined || cell === "");
    if (missing >= 0)
      throw new RatewiseError("parse", {
        at: `${where}, record ${i + 2}`,
        what: `needs a ${columns[missing]}, got nothing`,
        record: i + 2,
      });
    return cells;
  });
}
