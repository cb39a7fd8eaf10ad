/** What would break XML, move the text's direction or hide. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** A name as it may stand in a figure: control characters as `\u{1b}`, cut to `most` letters. */
export function label(name: string, most = 28): string {
  const text = name.replace(UNPRINTABLE, (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`);
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

/** Room that the longest of some labels takes, in pixels at 12 px. Letters of scripts of the East are as wide as they are high. */
export function labelRoom(labels: readonly string[]): number {
  const width = (text: string) =>
    [...text].reduce((sum, letter) => sum + (letter.codePointAt(0)! > 0x2e80 ? 12.5 : 7), 0);
  return Math.ceil(Math.max(0, ...labels.map(width)));
}
