/**
 * Times a loop of nothing but instructions, which a core that is whole carries out faster than half of one. Run as a
 * program it answers each message with the least of three times.
 */
import { fileURLToPath } from "node:url";

const CALLS = 200;
const TURNS = 1e5;
const sums = new Int32Array(CALLS);

/** Many calls, kept, so that the compiler sees a hot function and cannot leave it out. */
export function countingMs() {
  const start = performance.now();
  for (let call = 0; call < CALLS; call++) sums[call] = countUp(TURNS);
  return performance.now() - start;
}

/** Six sums that do not wait for each other: as many instructions at a time as the core will issue. */
function countUp(turns) {
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  let e = 5;
  let f = 6;
  for (let i = 0; i < turns; i++) {
    a = (a + i) | 0;
    b = (b ^ i) | 0;
    c = (c - i) | 0;
    d = (d + i) | 0;
    e = (e ^ i) | 0;
    f = (f - i) | 0;
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.on("message", () => process.send(Math.min(countingMs(), countingMs(), countingMs())));
