import { RatewiseError } from "@ratewise/core";

/** Runs `action`, and puts the place (a file, an entry, a field) before the message of what it throws. */
export function within<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof RatewiseError)) throw error;
    throw new RatewiseError(
      error.code,
      `${place}: ${error.message}`,
      { place, ...error.details },
      {
        cause: error,
      },
    );
  }
}
