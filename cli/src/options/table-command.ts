import { RatewiseError } from "@ratewise/core";
import { positiveOption, usageError } from "./options.ts";

/** The one table that a command is about. */
export function onePath(command: string, positionals: readonly string[]): string {
  if (positionals.length !== 1)
    throw usageError(
      command,
      `needs one table, got ${positionals.length === 0 ? "none" : positionals.length}`,
    );
  return positionals[0];
}

/** Units of hidden layers, `32,16`. */
export function hiddenOption(command: string, value: string | undefined): number[] {
  if (value === undefined) return [32, 16];
  const units = value.split(",").map(Number);
  if (units.some((count) => !(Number.isInteger(count) && count > 0)))
    throw usageError(command, `--hidden needs whole numbers with commas between, got "${value}"`);
  return units;
}

/** A share of the rows above 0 and below 1; 0.3 when none is given. */
export function testFractionOption(command: string, value: string | undefined): number {
  const fraction = positiveOption(command, "test-fraction", value) ?? 0.3;
  if (fraction >= 1)
    throw usageError(command, `--test-fraction needs a share below 1, got ${fraction}`);
  return fraction;
}

/** Errors of the data name the file; those of a worker, an engine or a store are not the file's. */
export async function naming<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof RatewiseError) || error.message.startsWith(path)) throw error;
    const { code, details } = error;
    if (code === "worker" || code === "engine" || details.store !== undefined) throw error;
    const message = `${path}: ${error.message.replace(/^[a-zA-Z]+: /, "")}`;
    throw new RatewiseError(code, message, { ...details }, { cause: error });
  }
}
