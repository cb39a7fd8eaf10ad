import { RatewiseError } from "@ratewise/core";
import { zlibSync } from "fflate";
import { crc32 } from "./crc32.ts";

/** A picture of 8 bits a colour: red, green and blue of each pixel, row after row. */
export interface PngPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const TRUE_COLOUR = 2;

/** The bytes of a PNG file. Source: W3C, Portable Network Graphics (second edition). */
export function writePng({ width, height, rgb }: PngPicture): Uint8Array {
  if (rgb.length !== 3 * width * height || width < 1 || height < 1)
    throw new RatewiseError("shape", {
      in: "writePng",
      what: `needs ${3 * width * height} numbers for ${width}×${height} pixels, got ${rgb.length}`,
    });
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  // Each row begins with the number of its filter: 0, none.
  const rows = new Uint8Array(height * (1 + 3 * width));
  for (let y = 0; y < height; y++)
    rows.set(rgb.subarray(3 * width * y, 3 * width * (y + 1)), y * (1 + 3 * width) + 1);
  return joined([
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", zlibSync(rows, { level: 6 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

/** Length, name, content, checksum of the last two. */
function chunk(name: string, content: Uint8Array): Uint8Array {
  const out = new Uint8Array(content.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, content.length);
  for (let i = 0; i < 4; i++) out[4 + i] = name.charCodeAt(i);
  out.set(content, 8);
  view.setUint32(8 + content.length, crc32(out.subarray(4, 8 + content.length)));
  return out;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
