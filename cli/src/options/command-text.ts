import type { Given } from "./cases.ts";
import type { CommandName } from "./option.ts";
import { optionsOf } from "./table.ts";

/** The command that gives the same answer again, as one would type it in a shell. */
export function commandText(
  command: CommandName,
  positionals: readonly string[],
  given: Given,
): string {
  const idle = new Set(
    optionsOf(command).flatMap(({ name, shapesAnswer }) => (shapesAnswer === false ? [name] : [])),
  );
  const options = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || value === false || idle.has(name)) return [];
    if (value === true) return [`--${name}`];
    const all = typeof value === "string" ? [value] : value;
    return all.map((one) => `--${name}${one.startsWith("-") ? "=" : " "}${quoted(one)}`);
  });
  return ["ratewise", command, ...positionals.map(quoted), ...options].join(" ");
}

/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
