/** What an option is set to, where a sentence says so. */
export type OptionValue = string | number | Readonly<Record<string, string | number>>;

/** An option that a sentence speaks of: a program reads `missing: "mean"`, the command's user `--missing mean`. */
export interface OptionMention {
  readonly option: string;
  readonly value?: OptionValue;
}

/** Words that are left out for a reader who does not have an option they mention. */
export interface Clause {
  readonly clause: readonly (string | OptionMention)[];
}

/** A sentence in which options may be spoken of. */
export type Words = string | readonly (string | OptionMention | Clause)[];

/** How a reader is told of an option; null where they do not have it. */
export type OptionText = (mention: OptionMention) => string | null;

type Spoken = string | number | OptionMention | Clause | Words;

/** A sentence around mentions of options: say`use ${mention("missing", "mean")}`. */
export function say(texts: TemplateStringsArray, ...values: readonly Spoken[]): Words {
  const parts = texts.flatMap((text, i) => {
    const value = values[i] ?? "";
    if (typeof value === "string" || typeof value === "number") return [`${text}${value}`];
    return "option" in value || "clause" in value ? [text, value] : [text, ...value];
  });
  return joined(parts);
}

/** Texts that follow each other as one. */
function joined<Part extends object>(parts: readonly (string | Part)[]): (string | Part)[] {
  const whole: (string | Part)[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (typeof part === "string" && typeof last === "string") whole[whole.length - 1] = last + part;
    else if (part !== "") whole.push(part);
  }
  return whole;
}

/** A part of a sentence that goes where a reader lacks one of its options: say`Rows are left out${clause`; ${…} keeps them`}.` */
export function clause(texts: TemplateStringsArray, ...values: readonly Spoken[]): Clause {
  return { clause: joined(flat(say(texts, ...values))) };
}

/** An option inside a sentence: a program reads `ensemble: 5`, a command `--ensemble 5`. */
export function mention(option: string, value?: OptionValue): OptionMention {
  return value === undefined ? { option } : { option, value };
}

/** The options that words mention, in their order. */
export function mentioned(words: Words): readonly string[] {
  return flat(words).flatMap((part) => (typeof part === "string" ? [] : [part.option]));
}

/** Without the bounds of clauses. */
function flat(words: Words): readonly (string | OptionMention)[] {
  if (typeof words === "string") return [words];
  return words.flatMap((part) =>
    typeof part === "object" && "clause" in part ? part.clause : [part],
  );
}

/** A sentence as text, its options written by `optionText`; default as in a program. */
export function wordsText(words: Words, optionText: OptionText = inProgram): string {
  if (typeof words === "string") return words;
  const text = (part: string | OptionMention) =>
    typeof part === "string" ? part : optionText(part);
  return words
    .map((part) => {
      // Outside a clause the sentence would break without its option.
      if (typeof part === "string" || "option" in part) return text(part) ?? inProgram(part);
      const parts = part.clause.map(text);
      return parts.includes(null) ? "" : parts.join("");
    })
    .join("");
}

/** `where: words`, and `words` alone where there is no place to name. */
export function placed(where: string | undefined, words: Words, optionText?: OptionText): string {
  return `${where === undefined ? "" : `${where}: `}${wordsText(words, optionText)}`;
}

function inProgram(part: string | OptionMention): string {
  if (typeof part === "string") return part;
  const { option, value } = part;
  if (value === undefined) return option;
  if (typeof value !== "object") return `${option}: ${literal(value)}`;
  const entries = Object.entries(value).map(([name, set]) => `${name}: ${literal(set)}`);
  return `${option}: { ${entries.join(", ")} }`;
}

function literal(value: string | number): string {
  return typeof value === "number" ? `${value}` : JSON.stringify(value);
}
