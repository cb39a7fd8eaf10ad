import { highWord } from "./bits.ts";

/** ⌊log₂|x|⌋ of a finite x other than 0, exactly. */
export function binaryExponent(x: number): number {
  const size = Math.abs(x);
  return size < 2 ** -1022 ? field(size * 2 ** 53) - 53 : field(size);
}

function field(size: number): number {
  return (highWord(size) >> 20) - 1023;
}
