import { RatewiseError, type RunOptions, type Table, table } from "@ratewise/core";
import { type ColumnBuilder, columnBuilder } from "@ratewise/core/data";
import Papa from "papaparse";

export interface CsvOptions extends RunOptions {
  /** The file's name, for messages. */
  readonly where: string;
  /** Size of the file in bytes, for progress. */
  readonly bytes?: number;
  /** Columns to read as categories even when they hold numbers. */
  readonly categories?: ReadonlySet<string>;
  /** Decimals are written with a comma: 1.234,5. */
  readonly decimalComma?: boolean;
}

/** What one call of the parser gives back: whole records, and where the next one starts. */
interface Records {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string; readonly row?: number }[];
  readonly meta: { readonly cursor: number };
}

/** Text parsed at a time: large enough to be fast, small enough for progress and memory. */
const PIECE = 1 << 22;

/**
 * Reads delimited text with a header line, as it streams in: comma, tab, semicolon or pipe, found
 * from the header. Memory: the columns and one piece of text.
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): Promise<Table> {
  const { where, signal, onProgress } = options;
  const reader = new CsvReader(options);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let seen = 0;
  let pending = "";
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    if (seen === 0) refuseOtherEncodings(chunk, where);
    seen += chunk.length;
    pending += decode(decoder, chunk, where, reader.lineAfter(pending));
    if (pending.length < PIECE) continue;
    pending = reader.take(pending, false);
    onProgress?.({ phase: "read", done: seen, total: Math.max(seen, options.bytes ?? seen) });
  }
  pending += decode(decoder, undefined, where, reader.lineAfter(pending));
  reader.take(pending, true);
  onProgress?.({ phase: "read", done: seen, total: seen });
  return reader.finish();
}

/** Reads delimited text that is already in memory. */
export function parseCsv(text: string, options: CsvOptions): Table {
  const reader = new CsvReader(options);
  reader.take(text, true);
  return reader.finish();
}

class CsvReader {
  private readonly options: CsvOptions;
  private builders: ColumnBuilder[] | undefined;
  private parser: { parse(text: string, base: number, ignoreLast: boolean): Records } | undefined;
  private line = 1;
  private rows = 0;

  constructor(options: CsvOptions) {
    this.options = options;
  }

  /** Consumes the whole records of `text` and returns what is left of it. */
  take(text: string, last: boolean): string {
    const { where } = this.options;
    if (!this.parser) {
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      this.parser = new Papa.Parser({ delimiter: findDelimiter(text), newline: findNewline(text) });
    }
    const { data, errors, meta } = this.parser.parse(text, 0, !last);
    if (last && errors.some((error) => error.code === "MissingQuotes"))
      throw new RatewiseError("parse", {
        at: where,
        what: "a quotation mark that is opened is never closed",
        advice: "the last records run together",
      });
    const quotes = text.includes('"');
    for (const record of data) {
      const line = this.line;
      this.line += 1 + (quotes ? newlinesIn(record) : 0);
      if (record.length === 1 && record[0].trim() === "") continue;
      if (!this.builders) this.builders = this.header(record);
      else this.record(record, this.builders, line);
    }
    return last ? "" : text.slice(meta.cursor);
  }

  /** The line that follows `pending`, the text not yet taken. */
  lineAfter(pending: string): () => number {
    return () => this.line + pending.split("\n").length - 1;
  }

  finish(): Table {
    const { where } = this.options;
    if (!this.builders) throw new RatewiseError("parse", { at: where, what: "the file is empty" });
    if (this.rows === 0)
      throw new RatewiseError("parse", { at: where, what: "there is a header line but no rows" });
    return table(this.builders.map((builder) => builder.finish()));
  }

  private header(record: readonly string[]): ColumnBuilder[] {
    const { where, categories, decimalComma = false } = this.options;
    const names = record.map((name, index) => name.trim() || `column ${index + 1}`);
    const seen = new Map<string, number>();
    names.forEach((name, index) => {
      const before = seen.get(name);
      if (before !== undefined)
        throw new RatewiseError("parse", {
          at: `${where}, line 1`,
          what: `columns ${before + 1} and ${index + 1} are both named "${name}"`,
          advice: "rename one of them",
          name,
        });
      seen.set(name, index);
    });
    return names.map((name) =>
      columnBuilder(name, where, { category: categories?.has(name) ?? false, decimalComma }),
    );
  }

  private record(record: readonly string[], builders: readonly ColumnBuilder[], line: number) {
    if (record.length !== builders.length)
      throw new RatewiseError("parse", {
        at: `${this.options.where}, line ${line}`,
        what: `${record.length} fields where the header has ${builders.length}`,
        line,
      });
    for (let j = 0; j < record.length; j++) builders[j].add(record[j], line);
    this.rows++;
  }
}

/** The candidate that stands most often in the header line outside quotation marks. */
function findDelimiter(text: string): string {
  const end = text.search(/[\r\n]/);
  const header = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, "");
  let best = ",";
  let most = 0;
  for (const candidate of [",", "\t", ";", "|"]) {
    const count = header.split(candidate).length - 1;
    if (count > most) {
      best = candidate;
      most = count;
    }
  }
  return best;
}

function findNewline(text: string): "\r\n" | "\n" | "\r" {
  const at = text.search(/[\r\n]/);
  if (at < 0 || text[at] === "\n") return "\n";
  return text[at + 1] === "\n" ? "\r\n" : "\r";
}

function newlinesIn(record: readonly string[]): number {
  let count = 0;
  for (const field of record) {
    for (let at = field.indexOf("\n"); at >= 0; at = field.indexOf("\n", at + 1)) count++;
  }
  return count;
}

function refuseOtherEncodings(start: Uint8Array, where: string): void {
  const [a, b] = start;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new RatewiseError("parse", {
      at: where,
      what: "the text is UTF-16",
      advice: 'save it as UTF-8 (in Excel: "CSV UTF-8") and try again',
    });
  if (start.subarray(0, 1024).includes(0))
    throw new RatewiseError("parse", {
      at: where,
      what: "holds zero bytes, so it is not a text file",
    });
}

function decode(
  decoder: TextDecoder,
  chunk: Uint8Array | undefined,
  where: string,
  line: () => number,
): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (cause) {
    // Decoded again with marks for what is no UTF-8: a chunk may begin inside a letter, hence after its first bytes.
    const text = new TextDecoder().decode(chunk?.subarray(3) ?? new Uint8Array(0));
    const before = text.slice(0, Math.max(0, text.indexOf("\ufffd")));
    throw new RatewiseError("parse", {
      at: `${where}, line ${line() + before.split("\n").length - 1}`,
      what: "the text is not UTF-8 (Latin-1 perhaps)",
      advice: "save it as UTF-8 and try again",
      cause,
    });
  }
}
