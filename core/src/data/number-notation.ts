/** What people write where a value is missing. Compared after trimming, without regard to case. */
const MISSING = new Set(["", "na", "n/a", "nan", "null", "none", "?", ".", "-"]);

/** A column that is numbers in at least this share of its first rows was meant to be numbers. */
const MEANT_AS_NUMBERS = 0.9;

/** Decimal notation only: `Number` alone would also take "", "0x10" and "Infinity". */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/i;
/** 1,5 and 1,234 and 1,234.5: what it means, the file does not say. */
const WITH_COMMAS = /^[+-]?\d+(?:,\d+)+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** 1234,5 and 1.234,5 and 1 234,5, as most of Europe writes it. */
const DECIMAL_COMMA = /^[+-]?(?:\d{1,3}(?:[. \u00a0\u202f]\d{3})+|\d+)(?:,\d*)?(?:[eE][+-]?\d+)?$/;

/** How the numbers of a column are written. */
export interface NumberReader {
  /** The number a cell holds, NaN when it is missing, undefined when it is text. */
  readonly read: (cell: string) => number | undefined;
  readonly percent: boolean;
}

/** Whether a trimmed cell says that there is no value. */
export function isMissing(text: string): boolean {
  return MISSING.has(text.toLowerCase());
}

/** A number with a decimal point. */
export function plainNumber(cell: string): number | undefined {
  const text = cell.trim();
  if (NUMBER.test(text)) return Number(text);
  if (isMissing(text)) return Number.NaN;
  return INFINITE.test(text) ? Number.POSITIVE_INFINITY : undefined;
}

function commaNumber(cell: string): number | undefined {
  const text = cell.trim();
  if (!DECIMAL_COMMA.test(text)) return isMissing(text) ? Number.NaN : undefined;
  return Number(text.replace(/[. \u00a0\u202f]/g, "").replace(",", "."));
}

/** Percentages beside plain numbers would be a hundred times apart: only cells with the sign are read. */
function percentages(read: NumberReader["read"]): NumberReader["read"] {
  return (cell) => {
    const text = cell.trim();
    if (text.endsWith("%")) return read(text.slice(0, -1));
    return isMissing(text) ? Number.NaN : undefined;
  };
}

/**
 * How the numbers in these cells are written; "commas" where they have commas that nobody has explained;
 * undefined where they are texts.
 */
export function notationOf(
  cells: readonly string[],
  decimalComma: boolean,
): NumberReader | "commas" | undefined {
  const read = decimalComma ? commaNumber : plainNumber;
  if (areNumbers(cells, read)) return { read, percent: false };
  const ofPercent = percentages(read);
  if (areNumbers(cells, ofPercent)) return { read: ofPercent, percent: true };
  const anyCommas = (cell: string): number | undefined =>
    WITH_COMMAS.test(cell.trim()) ? 0 : plainNumber(cell);
  return !decimalComma && areNumbers(cells, anyCommas) ? "commas" : undefined;
}

function areNumbers(cells: readonly string[], read: NumberReader["read"]): boolean {
  let numbers = 0;
  let texts = 0;
  for (const cell of cells) {
    const value = read(cell);
    if (value === undefined) texts++;
    else if (!Number.isNaN(value)) numbers++;
  }
  return texts === 0 || numbers >= MEANT_AS_NUMBERS * (numbers + texts);
}
