/** Options that change nothing of the answer: where it goes, how it is shown, how fast it comes. */
const WITHOUT_EFFECT = new Set(["workers", "json", "format", "out", "force", "resume", "debug"]);

/** The command that gives the same answer again, as one would type it in a shell. */
export function commandText(
  command: string,
  positionals: readonly string[],
  values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>,
): string {
  const options = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false || WITHOUT_EFFECT.has(name)) return [];
    if (value === true) return [`--${name}`];
    const all = typeof value === "string" ? [value] : value;
    return all.map((one) => `--${name}${one.startsWith("-") ? "=" : " "}${quoted(one)}`);
  });
  return ["ratewise", command, ...positionals.map(quoted), ...options].join(" ");
}

/** A word as a POSIX shell reads it back. */
function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
