const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Says something when the process is stopped, and then lets it be.
 *
 * @returns to be called when there is nothing to stop any longer
 */
export function sayWhenStopped(say: () => void): () => void {
  const stopped = (signal: NodeJS.Signals): void => {
    say();
    over();
    process.kill(process.pid, signal);
  };
  const over = (): void => {
    for (const signal of signals) process.off(signal, stopped);
  };
  for (const signal of signals) process.on(signal, stopped);
  return over;
}
