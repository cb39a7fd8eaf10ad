/**
 * Controls, invisible and direction-changing characters, lone surrogates, private use; but not the joiner
 * between two pictures, which makes them one: 👩‍🔬.
 */
const UNPRINTABLE =
  /(?!(?<=\p{Extended_Pictographic}[\u{fe0f}\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const ZERO_WIDTH = /\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}]/u;

/**
 * Text from a file, made safe to show: what could move the cursor, change colours, turn the reading
 * direction or hide is written out as `\u{1b}`.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`);
}

/** Columns that printable text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  let joined = false;
  for (const letter of text) {
    if (!joined && !ZERO_WIDTH.test(letter)) width += WIDE.test(letter) ? 2 : 1;
    joined = letter === "\u200d";
  }
  return width;
}

/** Cuts to at most `width` columns, with `…` where something is missing. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const letter of text) {
    used += displayWidth(letter);
    if (used > width) break;
    kept += letter;
  }
  return `${kept}…`;
}

/** Fills up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Breaks between words so that no line is longer than `width`; lines after the first are indented. */
export function wrap(text: string, width: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join("\n");
}
