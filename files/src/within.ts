import { RatewiseError } from "@ratewise/core";

/** A function's name before a message: of use to a programmer, not to whoever has the file. */
const FUNCTION_NAME = /^(?:[a-z]+[A-Z][A-Za-z]*|gunzip|rate|explain|encode|table): /;

/**
 * Runs `action`, and puts the place (a file, an entry, a field) before the message of what it throws, instead
 * of the function's name.
 */
export function within<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RatewiseError)) throw error;
    throw new RatewiseError(
      error.code,
      `${place}: ${error.message.replace(FUNCTION_NAME, "")}`,
      { place, ...error.details },
      {
        cause: error,
      },
    );
  }
}
