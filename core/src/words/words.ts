/** An option that a sentence speaks of: a program reads `missing: "mean"`, the command's user `--missing mean`. */
export interface OptionMention {
  readonly option: string;
  readonly value?: string | number;
}

/** A sentence in which options may be spoken of. */
export type Words = string | readonly (string | OptionMention)[];

/** How a reader is told of an option. */
export type OptionText = (mention: OptionMention) => string;

/** A sentence around mentions of options: say`use ${mention("missing", "mean")}`. */
export function say(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | OptionMention | Words)[]
): Words {
  return texts.flatMap((text, i) => {
    const value = values[i] ?? "";
    if (typeof value === "string" || typeof value === "number") return [`${text}${value}`];
    return "option" in value ? [text, value] : [text, ...value];
  });
}

/** An option inside a sentence: a program reads `ensemble: 5`, a command `--ensemble 5`. */
export function mention(option: string, value?: string | number): OptionMention {
  return value === undefined ? { option } : { option, value };
}

/** A sentence as text, its options written by `optionText`; default as in a program. */
export function wordsText(words: Words, optionText: OptionText = inProgram): string {
  if (typeof words === "string") return words;
  return words.map((part) => (typeof part === "string" ? part : optionText(part))).join("");
}

/** `where: words`, and `words` alone where there is no place to name. */
export function placed(where: string | undefined, words: Words, optionText?: OptionText): string {
  return `${where === undefined ? "" : `${where}: `}${wordsText(words, optionText)}`;
}

function inProgram({ option, value }: OptionMention): string {
  if (value === undefined) return option;
  return `${option}: ${typeof value === "number" ? value : JSON.stringify(value)}`;
}
