import { highWord } from "./bits.ts";

/** ⌊log₂ x⌋ of a finite x > 0, exactly. */
export function binaryExponent(x: number): number {
  return x < 2 ** -1022 ? binaryExponent(x * 2 ** 53) - 53 : (highWord(x) >> 20) - 1023;
}
