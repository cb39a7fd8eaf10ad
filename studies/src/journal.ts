import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** A file of JSON rows, one per line: what was computed stays computed when a run is cut off. */
export interface Journal<Row> {
  readonly rows: Row[];
  add(row: Row): void;
}

/** Opens a journal, or starts one. A last line that was cut off in mid-write is left out. */
export function openJournal<Row>(path: string): Journal<Row> {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (text !== "" && !text.endsWith("\n")) appendFileSync(path, "\n");
  const rows = parseRows<Row>(text);
  return {
    rows,
    add(row) {
      rows.push(row);
      appendFileSync(path, `${JSON.stringify(row)}\n`);
    },
  };
}

/** The rows of a journal that another program may still be writing; none where there is no file. */
export const readJournal = <Row>(path: string): Row[] =>
  existsSync(path) ? parseRows<Row>(readFileSync(path, "utf8")) : [];

function parseRows<Row>(text: string): Row[] {
  const rows: Row[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      rows.push(JSON.parse(line) as Row);
    } catch {
      // cut off by whatever ended the run; it will be computed again
    }
  }
  return rows;
}
