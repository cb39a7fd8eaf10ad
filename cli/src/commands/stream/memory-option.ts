import { usageError } from "../../options/options.ts";

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
};

/** `--memory`: bytes such as 4GB, 800M or 1.5GiB; default three quarters of what the machine has. */
export function memoryOption(command: string, value: string | undefined, machine: number): number {
  if (value === undefined) return Math.floor(0.75 * machine);
  const [, digits, unit] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(value) ?? [];
  const bytes = digits === undefined ? 0 : Math.floor(Number(digits) * UNITS[unit.toLowerCase()]);
  if (!(bytes > 0))
    throw usageError(command, `--memory needs an amount such as 4GB or 800MB, got "${value}"`);
  return bytes;
}

/** An amount for people. */
export function bytesText(bytes: number): string {
  if (bytes < 2 ** 20) return `${Math.ceil(bytes / 2 ** 10)} KB`;
  if (bytes < 2 ** 30) return `${Math.ceil(bytes / 2 ** 20)} MB`;
  return `${(bytes / 2 ** 30).toFixed(1)} GB`;
}
