/** Codes of diagnostics about the numbers inside rather than about the answer. */
export const technicalNotes: ReadonlySet<string> = new Set([
  "posterior-rank",
  "published-rank-correlation",
  "strong-but-not-central",
]);
