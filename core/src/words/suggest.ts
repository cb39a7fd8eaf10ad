/** The known word that a mistyped one is closest to, or null when none is close. */
function suggest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    // MNIST is mnist to whoever types it.
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** `; did you mean "rank"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const best = suggest(word, known);
  return best === null ? "" : `; did you mean "${best}"?`;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). O(|a|·|b|). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length];
}
