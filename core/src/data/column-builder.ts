import { RatewiseError } from "../errors.ts";
import type { Column } from "./table.ts";

/** What people write where a value is missing. Compared after trimming, without regard to case. */
const MISSING = new Set(["", "na", "n/a", "nan", "null", "none", "?", ".", "-"]);

/** How many rows are looked at before a column is called numbers or categories. */
const ROWS_TO_DECIDE = 1000;

/** A column that is numbers in at least this share of its first rows was meant to be numbers. */
const MEANT_AS_NUMBERS = 0.9;

/** Levels are kept in a map; more than this many is a text, not a category. */
const MOST_LEVELS = 1_000_000;

/** Collects one column of text cells and decides whether they are numbers or categories. */
export interface ColumnBuilder {
  /** Appends a cell; `line` is where it stands in the file, for messages. */
  add(cell: string, line: number): void;
  finish(): Column;
}

/**
 * A builder for the column `name` of the file `where`. The first 1,000 rows decide: all numbers →
 * numbers; at least nine in ten numbers → an error that names the first cell that is not one (almost
 * always a slip in the file); otherwise categories. `asCategory` skips the decision.
 */
export function columnBuilder(name: string, where: string, asCategory = false): ColumnBuilder {
  const undecided: string[] = [];
  const lines: number[] = [];
  let target: Numbers | Categories | undefined = asCategory
    ? new Categories(name, where)
    : undefined;

  const decide = () => {
    target = isMeantAsNumbers(undecided) ? new Numbers(name, where) : new Categories(name, where);
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

/** Decimal notation only: `Number` alone would also take "", "0x10" and "Infinity". */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/i;

/** The number a cell holds, NaN when it is missing, undefined when it is text. */
export function parseNumber(cell: string): number | undefined {
  const text = cell.trim();
  if (NUMBER.test(text)) return Number(text);
  if (MISSING.has(text.toLowerCase())) return Number.NaN;
  return INFINITE.test(text) ? Number.POSITIVE_INFINITY : undefined;
}

function isMeantAsNumbers(cells: readonly string[]): boolean {
  let numbers = 0;
  let texts = 0;
  for (const cell of cells) {
    const value = parseNumber(cell);
    if (value === undefined) texts++;
    else if (!Number.isNaN(value)) numbers++;
  }
  return texts === 0 || numbers >= MEANT_AS_NUMBERS * (numbers + texts);
}

class Numbers {
  private readonly name: string;
  private readonly where: string;
  private values = new Float64Array(1024);
  private length = 0;

  constructor(name: string, where: string) {
    this.name = name;
    this.where = where;
  }

  add(cell: string, line: number): void {
    const value = parseNumber(cell);
    if (value === undefined) {
      const commaHint = /^\s*[+-]?\d+,\d+\s*$/.test(cell)
        ? "write decimals with a point"
        : "correct the cell, empty it, or read the column as categories";
      throw new RatewiseError(
        "parse",
        `${this.where}, line ${line}: column "${this.name}" holds numbers, but here stands "${cell.slice(0, 40)}"; ${commaHint}`,
        { line, column: this.name },
      );
    }
    if (Math.abs(value) === Number.POSITIVE_INFINITY)
      throw new RatewiseError(
        "domain",
        `${this.where}, line ${line}: column "${this.name}" holds ${cell}; only finite numbers can be used`,
        { line, column: this.name },
      );
    if (this.length === this.values.length) {
      const wider = new Float64Array(this.length * 2);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.length++] = value;
  }

  finish(): Column {
    return { kind: "number", name: this.name, values: this.values.slice(0, this.length) };
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
    if (!MISSING.has(text.toLowerCase())) {
      code = this.levels.get(text) ?? this.levels.size;
      if (code === this.levels.size) {
        if (code === MOST_LEVELS)
          throw new RatewiseError(
            "domain",
            `${this.where}, line ${line}: column "${this.name}" has over ${MOST_LEVELS} different texts; leave it out`,
            { line, column: this.name },
          );
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
