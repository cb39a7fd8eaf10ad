import { RatewiseError } from "../errors.ts";

/** Objects are Maps: the order of their keys is the file's, and no key is special. */
export type Json = null | boolean | number | string | readonly Json[] | ReadonlyMap<string, Json>;

const DEEPEST = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads JSON as JSON.parse does, and differs in what it is for: an error says line and column, the keys of an
 * object keep the file's order (JSON.parse moves those that look like numbers first), and a key
 * given twice is an error.
 */
export function parseJson(text: string): Json {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.skip();
  }

  value(depth: number): Json {
    const { text } = this;
    const start = this.at;
    const letter = text[start];
    if (letter === "[") return this.array(depth);
    if (letter === "{") return this.object(depth);
    if (letter === '"') return this.string();
    NUMBER.lastIndex = start;
    if (NUMBER.test(text)) {
      this.at = NUMBER.lastIndex;
      const number = Number(text.slice(start, this.at));
      this.skip();
      return number;
    }
    if (this.takes("true")) return true;
    if (this.takes("false")) return false;
    if (this.takes("null")) return null;
    throw this.bad("a value");
  }

  end(): void {
    if (this.at < this.text.length) throw this.bad("nothing more");
  }

  private array(depth: number): Json[] {
    const items: Json[] = [];
    this.open(depth);
    if (this.takes("]")) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      if (this.takes("]")) return items;
      if (!this.takes(",")) throw this.bad("a comma or ]");
    }
  }

  private object(depth: number): Map<string, Json> {
    const entries = new Map<string, Json>();
    this.open(depth);
    if (this.takes("}")) return entries;
    for (;;) {
      const start = this.at;
      const key = this.string();
      if (entries.has(key)) throw this.bad("every key once", start);
      if (!this.takes(":")) throw this.bad("a colon");
      entries.set(key, this.value(depth + 1));
      if (this.takes("}")) return entries;
      if (!this.takes(",")) throw this.bad("a comma or }");
    }
  }

  private string(): string {
    const { text, at: start } = this;
    let end = start + 1;
    let escapes = false;
    if (text[start] !== '"') throw this.bad("a text in quotes");
    for (; text.charCodeAt(end) !== QUOTE; end++) {
      const code = text.charCodeAt(end);
      // NaN, past the end, is not ≥ 0x20 either.
      if (!(code >= 0x20)) throw this.bad("a text in quotes");
      if (code !== BACKSLASH) continue;
      escapes = true;
      end++;
    }
    this.at = end + 1;
    this.skip();
    if (!escapes) return text.slice(start + 1, end);
    try {
      return JSON.parse(text.slice(start, end + 1));
    } catch {
      throw this.bad("a text in quotes", start);
    }
  }

  private open(depth: number): void {
    if (depth === DEEPEST) throw this.bad(`at most ${DEEPEST} levels`);
    this.at++;
    this.skip();
  }

  private takes(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    this.skip();
    return true;
  }

  private skip(): void {
    // Past the space, no character of JSON is below 0x21, so most calls end here.
    if (this.text.charCodeAt(this.at) > 0x20) return;
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = SPACE.lastIndex;
  }

  private bad(needed: string, at: number = this.at): RatewiseError {
    const before = this.text.slice(0, at);
    const line = before.split("\n").length;
    const column = at - before.lastIndexOf("\n");
    const got =
      at >= this.text.length
        ? "the end of the text"
        : JSON.stringify(/^\s*\S{0,20}/.exec(this.text.slice(at, at + 20))![0]);
    return new RatewiseError("parse", {
      in: "parseJson",
      what: `needs ${needed}, got ${got} at line ${line}, column ${column}`,
      line,
      column,
    });
  }
}
