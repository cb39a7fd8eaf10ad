import type { ComponentChildren, JSX } from "preact";

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

/** Names up to this length stay in one line. */
const WHOLE = 12;

/** A name that may go on in the next line after a separator, and not in the middle of a word. */
function breakable(shown: string): ComponentChildren {
  if (shown.length <= WHOLE) return shown;
  return shown
    .split(/(?<=[_./:-])(?=[^_./:-])/)
    .flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]));
}

/** A name from a file, kept apart from the text around it whatever direction its letters run. */
export function Name({ text, most }: { text: string; most?: number }): JSX.Element {
  const shown = shownName(text, most);
  const whole = shown.length <= WHOLE ? " whole" : "";
  return (
    <bdi class={`name${whole}`} title={text.length > 60 ? shownName(text, 400) : undefined}>
      {breakable(shown)}
    </bdi>
  );
}
