/** A word about the run that is under way, kept for this tab: after a refresh the page can say what was lost. */
const PLACE = "ratewise-run";

export function rememberRun(data: string): void {
  try {
    sessionStorage.setItem(PLACE, data);
  } catch {
    // A browser that keeps nothing has nothing to say after a refresh.
  }
}

export function forgetRun(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // As above.
  }
}

/** The data of a run that a refresh cut off, once. */
export function interruptedRun(): string | null {
  try {
    const found = sessionStorage.getItem(PLACE);
    forgetRun();
    return found;
  } catch {
    return null;
  }
}
