import { type CompareMethod, compareMethods } from "@ratewise/core";
import { formerMethods } from "@ratewise/core/explain";
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
      throw usageError(command, `--${option}: there is no method "${name}"${instead(name)}`);
  if (new Set(names).size < names.length)
    throw usageError(command, `--${option} needs every method once, got "${value}"`);
  return names as CompareMethod[];
}

/** What it is called now, what may have been meant, or what there is. */
function instead(name: string): string {
  const now = formerMethods.get(name);
  if (now !== undefined) return `; it is called "${now}" now`;
  return didYouMean(name, compareMethods) || `; there are ${compareMethods.join(", ")}`;
}
