import type { JSX } from "preact";

/** What would turn the reading direction, hide, or break a line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** A name as it may be shown: invisible characters written out, cut to `most` letters. */
export function shownName(text: string, most = 120): string {
  const written = text.replace(
    UNPRINTABLE,
    (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`,
  );
  const letters = [...written];
  return letters.length <= most ? written : `${letters.slice(0, most - 1).join("")}…`;
}

/** A name from a file, kept apart from the text around it whatever direction its letters run. */
export function Name({ text, most }: { text: string; most?: number }): JSX.Element {
  return (
    <bdi class="name" title={text.length > 60 ? shownName(text, 400) : undefined}>
      {shownName(text, most)}
    </bdi>
  );
}
