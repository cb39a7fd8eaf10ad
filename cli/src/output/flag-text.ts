import type { OptionMention } from "@ratewise/core/words";

/** An option of the library as the command has it: `--test-fraction 0.3`. */
export function flagText({ option, value }: OptionMention): string {
  const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? flag : `${flag} ${value}`;
}
