/** What a page may take: browsers end a tab that wants more, and WebAssembly ends at 4 GiB. */
const MOST = 4 * 2 ** 30;

/** Bytes of memory to count on. Browsers tell the machine's memory roughly, and at most 8 GiB, or not at all. */
export function memoryHere(): number {
  const { deviceMemory } = navigator as Navigator & { readonly deviceMemory?: number };
  return Math.min(MOST, (deviceMemory ?? 4) * 2 ** 30);
}
