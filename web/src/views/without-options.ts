/** A message of the command without the sentences and clauses that name its options: the page has choices of its own. */
export function withoutOptions(message: string): string {
  return message
    .replace(/(^|\. )--[^.;]*[.;]?/g, (_, before: string) => before)
    .replace(/; --[^.;]*/g, "")
    .trim();
}
