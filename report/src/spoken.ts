import { flagText, type OptionText, type Words, wordsText } from "@ratewise/core/words";
import { type Html, html } from "./html.ts";

/** Words whose options are those of the command, set as code, or what `optionText` calls them. */
export function spoken(words: Words, optionText?: OptionText): Html {
  if (optionText) return html`${wordsText(words, optionText)}`;
  const flags: string[] = [];
  // Flags hold no control characters, so one can stand where each belongs.
  const text = wordsText(words, (mention) => {
    flags.push(flagText(mention));
    return "\0";
  });
  return html`${text.split("\0").map((piece, at) => [at > 0 && html`<code>${flags[at - 1]}</code>`, piece])}`;
}
