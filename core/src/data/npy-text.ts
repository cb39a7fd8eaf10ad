import { RatewiseError } from "../errors.ts";

/** Texts from NumPy's `U` type: `width` code points each, zeros at the end. */
export function decodeText(codes: Uint32Array, width: number, size: number): string[] {
  const out = new Array<string>(size);
  for (let i = 0; i < size; i++) {
    let text = "";
    let zeros = 0;
    for (let k = i * width; k < (i + 1) * width; k++) {
      const code = codes[k];
      // NumPy pads with zeros at the end; a zero between letters belongs to the text.
      if (code === 0) {
        zeros++;
        continue;
      }
      if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        throw new RatewiseError("parse", {
          in: "readNpy",
          what: `needs Unicode text, got the code ${code} at element ${i}`,
          element: i,
        });
      text += "\0".repeat(zeros) + String.fromCodePoint(code);
      zeros = 0;
    }
    out[i] = text;
  }
  return out;
}

/** Texts from NumPy's `S` type: `width` bytes each, zeros at the end. */
export function decodeAscii(bytes: Uint8Array, width: number, size: number): string[] {
  const out = new Array<string>(size);
  for (let i = 0; i < size; i++) {
    let end = (i + 1) * width;
    while (end > i * width && bytes[end - 1] === 0) end--;
    let text = "";
    for (let k = i * width; k < end; k++) {
      if (bytes[k] > 0x7f)
        throw new RatewiseError("parse", {
          in: "readNpy",
          what: `needs ASCII in a byte string, got the byte ${bytes[k]} at element ${i}`,
          advice: "save text as str",
          element: i,
        });
      text += String.fromCharCode(bytes[k]);
    }
    out[i] = text;
  }
  return out;
}

/** The texts as code points, all padded to the longest (at least one, as NumPy does). */
export function encodeText(texts: readonly string[]): Uint32Array {
  const codes = texts.map((text, i) => {
    // A lone half of a surrogate pair is no character, and NumPy could not read it back.
    if (/\p{Surrogate}/u.test(text))
      throw new RatewiseError("domain", {
        in: "writeNpy",
        what: `needs Unicode text, got half a pair at ${i}`,
      });
    return Array.from(text, (letter) => letter.codePointAt(0)!);
  });
  const width = codes.reduce((widest, code) => Math.max(widest, code.length), 1);
  const out = new Uint32Array(width * texts.length);
  codes.forEach((code, i) => {
    out.set(code, i * width);
  });
  return out;
}
