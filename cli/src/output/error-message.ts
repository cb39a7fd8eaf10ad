import { RatewiseError } from "@ratewise/core";
import { flagText, type OptionText, wordsText } from "@ratewise/core/words";

/** What went wrong in one line, without the name of the program before it, options as the reader has them. */
export function errorMessage(error: unknown, optionText: OptionText = flagText): string {
  if (error instanceof RatewiseError) return error.text(optionText);
  const { message } = error as Error;
  if (error instanceof RangeError && /allocation|length|too large/i.test(message))
    return `not enough memory (${message})`;
  if ((error as NodeJS.ErrnoException).code === "ENOSPC")
    return "the answer could not be written: the disk is full";
  return `ratewise has a bug (${message}); run again with --debug and report it`;
}

/** What went wrong, without the place where it did. */
export function reasonText(error: Error): string {
  return error instanceof RatewiseError ? wordsText(error.reason, flagText) : error.message;
}
