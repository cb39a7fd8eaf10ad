import { RatewiseError } from "../errors.ts";

const ascii = new TextEncoder();

/**
 * Writes plain data as bytes, one encoding for each value, the same on every machine: a header that
 * says type and length ("Float64Array 3;"), then the content. Keys of objects go in code-unit order.
 * Numbers and typed arrays go by their bits, so 0 and −0 differ, and so do equal bytes of another
 * element type; whether memory is shared makes no difference. Refuses what is not data, in the name of
 * the function `where` and of its argument `root`.
 * Typed arrays are written in memory order: little-endian wherever Node and browsers run.
 */
export function writeCanonical(
  value: unknown,
  write: (bytes: Uint8Array) => void,
  where: string,
  root: string,
): void {
  const ancestors = new Set<object>();
  const notData = (got: string, path: string): RatewiseError =>
    new RatewiseError("domain", {
      in: where,
      what: `needs plain data and typed arrays, got ${got} at ${path}`,
      path,
    });
  const header = (text: string): void => write(ascii.encode(`${text};`));

  const visit = (value: unknown, path: string): void => {
    switch (typeof value) {
      case "undefined":
      case "boolean":
        header(String(value));
        break;
      case "bigint":
        header(`bigint ${value}`);
        break;
      case "number":
        // One NaN: the bits of others are not the same everywhere.
        header(Number.isNaN(value) ? "NaN" : "number");
        if (!Number.isNaN(value)) write(numberBytes(value));
        break;
      case "string":
        header(`string ${value.length}`);
        write(textBytes(value));
        break;
      case "object":
        if (value === null) header("null");
        else visitObject(value, path);
        break;
      default:
        throw notData(`a ${typeof value}`, path);
    }
  };

  const visitObject = (value: object, path: string): void => {
    if (ancestors.has(value)) throw notData("a cycle", path);
    ancestors.add(value);
    if (Array.isArray(value)) {
      header(`array ${value.length}`);
      for (let i = 0; i < value.length; i++) visit(value[i], `${path}[${i}]`);
    } else if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      header(`${typeName(value)} ${value.byteLength}`);
      write(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (value instanceof ArrayBuffer || isShared(value)) {
      header(`buffer ${value.byteLength}`);
      write(new Uint8Array(value));
    } else if (isPlain(value)) {
      const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      header(`object ${entries.length}`);
      for (const [name, entry] of entries) {
        visit(name, path);
        visit(entry, `${path}.${name}`);
      }
    } else throw notData(`a ${typeName(value)}`, path);
    ancestors.delete(value);
  };

  visit(value, root);
}

/** The name of the built-in type, whatever realm or subclass: "Float64Array" for its subclasses too. */
function typeName(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Pages that are not cross-origin isolated have no SharedArrayBuffer. */
function isShared(value: object): value is SharedArrayBuffer {
  return typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer;
}

/** An object literal of any realm: its prototype is the root of all, or absent. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeName(value) !== "Object") return false;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function numberBytes(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer);
}

/** UTF-16 code units: unlike UTF-8, it keeps lone surrogates apart. */
function textBytes(text: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), true);
  return new Uint8Array(view.buffer);
}
