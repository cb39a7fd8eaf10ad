import { RatewiseError } from "../errors.ts";
import { mention, say } from "../words/words.ts";
import { isMissing, type NumberReader, notationOf, plainNumber } from "./number-notation.ts";
import type { Column, NumberColumn } from "./table.ts";

/** How many rows are looked at before a column is called numbers or categories. */
const ROWS_TO_DECIDE = 1000;

/** Levels are kept in a map; more than this many is a text, not a category. */
const MOST_LEVELS = 1_000_000;

/** Collects one column of text cells and decides whether they are numbers or categories. */
export interface ColumnBuilder {
  /** Appends a cell; `line` is where it stands in the file, for messages. */
  add(cell: string, line: number): void;
  finish(): Column;
}

export interface ColumnOptions {
  /** Categories whatever the cells look like. */
  readonly category?: boolean;
  /** Decimals are written with a comma, thousands with a point or a blank: 1.234,5. */
  readonly decimalComma?: boolean;
}

/**
 * A builder for the column `name` of the file `where`. The first 1,000 rows decide: all numbers →
 * numbers; at least nine in ten numbers → an error that names the first cell that is not one (almost
 * always a slip in the file); otherwise categories. Percentages, 45%, are numbers too, and the column says
 * so; decimal commas are an error unless they were asked for, since 1,234 may mean a thousand.
 */
export function columnBuilder(
  name: string,
  where: string,
  { category = false, decimalComma = false }: ColumnOptions = {},
): ColumnBuilder {
  const undecided: string[] = [];
  const lines: number[] = [];
  let target: Numbers | Categories | undefined = category ? new Categories(name, where) : undefined;

  const decide = () => {
    const reader = notationOf(undecided, decimalComma);
    if (reader === "commas") throw commaError(name, where, undecided, lines);
    target = reader ? new Numbers(name, where, reader) : new Categories(name, where);
    for (let i = 0; i < undecided.length; i++) target.add(undecided[i], lines[i]);
    undecided.length = 0;
  };
  return {
    add(cell, line) {
      if (target) return target.add(cell, line);
      undecided.push(cell);
      lines.push(line);
      if (undecided.length >= ROWS_TO_DECIDE) decide();
    },
    finish() {
      if (!target) decide();
      return target!.finish();
    },
  };
}

function commaError(
  name: string,
  where: string,
  cells: readonly string[],
  lines: readonly number[],
): RatewiseError {
  const at = cells.findIndex((cell) => cell.includes(",") && plainNumber(cell) === undefined);
  return new RatewiseError("parse", {
    at: `${where}, line ${lines[at]}`,
    what: `column "${name}" holds numbers with commas, such as "${cells[at].trim().slice(0, 40)}"`,
    advice: say`write decimals with a point and nothing between thousands, or use ${mention("decimalComma")} or ${mention("categories")}`,
    line: lines[at],
    column: name,
  });
}

class Numbers {
  private readonly name: string;
  private readonly where: string;
  private readonly reader: NumberReader;
  private values = new Float64Array(1024);
  private length = 0;

  constructor(name: string, where: string, reader: NumberReader) {
    this.name = name;
    this.where = where;
    this.reader = reader;
  }

  add(cell: string, line: number): void {
    const value = this.reader.read(cell);
    if (value === undefined) {
      const commaHint = /^\s*[+-]?\d+,\d+\s*$/.test(cell)
        ? say`write decimals with a point, or use ${mention("decimalComma")}`
        : say`correct the cell, empty it, or read the column with ${mention("categories")}`;
      throw new RatewiseError("parse", {
        at: `${this.where}, line ${line}`,
        what: `column "${this.name}" holds numbers, but this cell holds "${cell.slice(0, 40)}"`,
        advice: commaHint,
        line,
        column: this.name,
      });
    }
    if (Math.abs(value) === Number.POSITIVE_INFINITY)
      throw new RatewiseError("domain", {
        at: `${this.where}, line ${line}`,
        what: `column "${this.name}" holds ${cell}`,
        advice: "only finite numbers can be used",
        line,
        column: this.name,
      });
    if (this.length === this.values.length) {
      const wider = new Float64Array(this.length * 2);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  finish(): Column {
    const column: NumberColumn = {
      kind: "number",
      name: this.name,
      values: this.values.slice(0, this.length),
    };
    return this.reader.percent ? { ...column, notation: "percent" } : column;
  }
}

class Categories {
  private readonly name: string;
  private readonly where: string;
  private readonly levels = new Map<string, number>();
  private codes = new Int32Array(1024);
  private length = 0;

  constructor(name: string, where: string) {
    this.name = name;
    this.where = where;
  }

  add(cell: string, line: number): void {
    if (this.length === this.codes.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.codes);
      this.codes = wider;
    }
    const text = cell.trim();
    let code = -1;
    if (!isMissing(text)) {
      code = this.levels.get(text) ?? this.levels.size;
      if (code === this.levels.size) {
        if (code === MOST_LEVELS)
          throw new RatewiseError("domain", {
            at: `${this.where}, line ${line}`,
            what: `column "${this.name}" has over ${MOST_LEVELS} different texts`,
            advice: "leave it out",
            line,
            column: this.name,
          });
        this.levels.set(text, code);
      }
    }
    this.codes[this.length++] = code;
  }

  finish(): Column {
    return {
      kind: "category",
      name: this.name,
      levels: [...this.levels.keys()],
      codes: this.codes.slice(0, this.length),
    };
  }
}
