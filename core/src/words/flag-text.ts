import type { OptionMention, OptionValue } from "./words.ts";

/** An option of the library as the command has it: `--test-fraction 0.3`, `--select fdr=0.1`. */
export function flagText({ option, value }: OptionMention): string {
  const flag = `--${kebabCase(option)}`;
  return value === undefined ? flag : `${flag} ${valueText(value)}`;
}

/** `test-fraction` for `testFraction`. */
export function kebabCase(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `0.3`, and `fdr=0.1` for a setting of several parts. */
export function valueText(value: OptionValue): string {
  if (typeof value !== "object") return `${value}`;
  return Object.entries(value)
    .map(([name, set]) => `${name}=${set}`)
    .join(",");
}
