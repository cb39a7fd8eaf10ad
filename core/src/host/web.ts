/** How many workers are worth starting on this machine. */
export function cores(): number {
  return navigator.hardwareConcurrency;
}
