/** A page works by itself: it never passes `--on`. */
export {};
