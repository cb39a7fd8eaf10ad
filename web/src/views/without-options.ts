/**
 * A message of the command without what names its options: whole sentences, clauses after a semicolon, and brackets. The
 * page has choices of its own.
 */
export function withoutOptions(message: string): string {
  return message
    .replace(/ \([^()]*(?<![\w-])--[a-z][^()]*\)/g, "")
    .split(/(?<=[.!?]) (?=[\p{Lu}"“-])/u)
    .map((sentence) => {
      const clauses = sentence.split("; ");
      const kept = clauses.filter((clause) => !OPTION.test(clause)).join("; ");
      return kept === "" || /[.!?]$/.test(kept) || !/[.!?]$/.test(sentence) ? kept : `${kept}.`;
    })
    .filter((sentence) => sentence !== "")
    .join(" ");
}

const OPTION = /(?<![\w-])--[a-z]/;
