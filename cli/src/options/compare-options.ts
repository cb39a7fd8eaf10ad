import { type CompareMethod, compareMethods } from "@ratewise/core";
import { usageError } from "./options.ts";
import { didYouMean } from "./suggest.ts";

/** Methods by name with commas between, `all` or nothing for all. */
export function methodsOption(
  command: string,
  option: string,
  value: string | undefined,
): readonly CompareMethod[] {
  if (value === undefined || value === "all") return compareMethods;
  const names = value.split(",").map((name) => name.trim());
  for (const name of names)
    if (!(compareMethods as readonly string[]).includes(name))
      throw usageError(
        command,
        `--${option}: there is no method "${name}"${didYouMean(name, compareMethods) || `; there are ${compareMethods.join(", ")}`}`,
      );
  if (new Set(names).size < names.length)
    throw usageError(command, `--${option} needs every method once, got "${value}"`);
  return names as CompareMethod[];
}
