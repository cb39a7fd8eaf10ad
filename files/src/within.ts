import { RatewiseError } from "@ratewise/core";

/** Runs `action`, and says of what it throws in which place (a file, an entry, a field) it was. */
export function within<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof RatewiseError ? error.within(place) : error;
  }
}
