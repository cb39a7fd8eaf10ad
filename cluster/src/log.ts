/** One line of JSON for each thing that happens. */
export type Log = (event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** Lines with the time and what they all share first. */
export function jsonLog(
  write: (line: string) => void,
  shared: Readonly<Record<string, unknown>> = {},
): Log {
  return (event, fields = {}) =>
    write(JSON.stringify({ time: new Date().toISOString(), event, ...shared, ...fields }));
}
