import { type Diagnostic, spokenTo } from "@ratewise/core/diagnostic";
import { flagText } from "@ratewise/core/words";

/** A result with `notes` before its own warnings, and all of them in the words of the command. */
export function told<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  result: Result,
  notes: readonly Diagnostic[] = [],
): Result {
  return { ...result, diagnostics: spokenTo([...notes, ...result.diagnostics], flagText) };
}
