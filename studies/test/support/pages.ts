import { readFileSync } from "node:fs";
import type { Finding, StudyDocument } from "../../src/index.ts";
import { numbersOf } from "./told-numbers.ts";

const BEGIN =
  "<!-- numbers of the record, written by a test; the text around them is written by hand -->";
const END = "<!-- end of the record's numbers -->";

export const at = (path: string): URL => new URL(`../../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), "utf8");

/** The page with these numbers between its two marks. */
export function withNumbers(page: string, numbers: string): string {
  const [before, rest, ...more] = page.split(BEGIN);
  const [, after, ...others] = (rest ?? "").split(END);
  if (after === undefined || more.length + others.length > 0)
    throw new Error(`a page needs one "${BEGIN}" and one "${END}"`);
  return `${before}${BEGIN}\n\n${numbers}\n\n${END}${after}`;
}

export const pageOf = (study: string): string => read(`docs/studies/${study}.md`);

export const recordOf = (study: string): StudyDocument =>
  JSON.parse(read(`studies/results/${study}.json`));

/** What a page says by hand below one of its headings, without links. */
export function handText(study: string, heading: string): string {
  const page = withNumbers(pageOf(study), "");
  const [, after] = page.split(`\n## ${heading}\n`);
  if (after === undefined) throw new Error(`the page of ${study} has no "${heading}"`);
  const [text] = after.split(/\n## |<!--/);
  return text.replace(/\]\([^)]*\)/g, "]");
}

/** Looks a record up by the beginnings of its names, each of which has to be that of one thing. */
export function lookUp({ findings, tables }: Pick<StudyDocument, "findings" | "tables">) {
  const one = <Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string, name: string) => {
    const found = things.filter((thing) => nameOf(thing).startsWith(name));
    const same = found.filter((thing) => nameOf(thing) === name);
    const [thing, ...more] = same.length > 0 ? same : found;
    if (thing === undefined || more.length > 0)
      throw new Error(`"${name}" begins ${found.length} names`);
    return thing;
  };
  const cellOf = (title: string, row: string, column: string): string | number => {
    const { columns, rows } = one(tables, (table) => table.title, title);
    const found = one(rows, ([name]) => `${name}`, row);
    return found[columns.indexOf(one(columns, (each) => each, column))];
  };
  const cell = (...of: Parameters<typeof cellOf>): number[] => numbersOf(cellOf(...of));
  const named = (what: string): Finding => one(findings, (row) => row.what, what);
  return {
    /** A finding's number, or its mean and error; and the paper's. */
    ours: (what: string): number[] => numbersOf(named(what).ours),
    paper: (what: string): number[] => numbersOf(named(what).paper),
    /** The numbers of a cell of a table, and what it says. */
    cell,
    text: (...of: Parameters<typeof cellOf>): string => `${cellOf(...of)}`,
    /** What the first rows of a table are called. */
    first: (title: string, count: number): string =>
      one(tables, (table) => table.title, title)
        .rows.slice(0, count)
        .map(([name]) => name)
        .join(", "),
    /** All numbers of a column of a table. */
    column: (title: string, column: string): number[] =>
      one(tables, (table) => table.title, title).rows.flatMap(([row]) =>
        cell(title, `${row}`, column),
      ),
  };
}
