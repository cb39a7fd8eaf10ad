import { Program } from "./train-program";

/**
 * Threads that train together: each runs the whole program on its own instance, does its share of the
 * large loops, and waits for the others where one needs what they made. These globals are an
 * instance's own. Shares are cut so that no bit depends on their number.
 */
let part: i32 = 0;
let parts: i32 = 1;
let packing: usize = 0;
let sleeps: bool = false;

/** Which share this thread takes until the next call, its memory for packing, whether it may sleep. */
export function takePart(index: i32, count: i32, scratch: usize, maySleep: bool): void {
  sleeps = maySleep;
  part = index;
  parts = count;
  packing = scratch;
}

/** Whether this thread does what is not worth sharing. */
// @ts-ignore: decorator
@inline
export function leads(): bool {
  return part == 0;
}

/** Packing buffers of this thread. */
// @ts-ignore: decorator
@inline
export function scratch(): usize {
  return packing;
}

/** Where this thread's share of 0 … total − 1 starts; it ends where the next one's does. */
// @ts-ignore: decorator
@inline
export function shareStart(total: i32, align: i32): i32 {
  return cut(total, align, part);
}

// @ts-ignore: decorator
@inline
export function shareEnd(total: i32, align: i32): i32 {
  return cut(total, align, part + 1);
}

function cut(total: i32, align: i32, at: i32): i32 {
  if (at == parts) return total;
  const even = <i32>((<i64>total * at) / parts);
  return min(total, (even / align) * align);
}

/** Polls before a thread sleeps: some microseconds, as long as shares differ on a quiet machine. */
const SPINS: i32 = 4000;
/** Seconds that a thread may be late, and one in nanoseconds. */
const PATIENCE: i32 = 60;
const SECOND: i64 = 1_000_000_000;

/** Returns when all threads are here. Polls for a moment, then sleeps where that is allowed. */
export function barrier(program: Program): void {
  if (parts == 1) return;
  const at = changetype<usize>(program);
  const arrived = at + offsetof<Program>("arrived");
  const phase = at + offsetof<Program>("phase");
  const now = atomic.load<i32>(phase);
  if (atomic.add<i32>(arrived, 1) == parts - 1) {
    atomic.store<i32>(arrived, 0);
    atomic.store<i32>(phase, now + 1);
    atomic.notify(phase, parts);
    return;
  }
  for (let spin = 0; spin < SPINS; spin++) if (atomic.load<i32>(phase) != now) return;
  let slept = 0;
  while (atomic.load<i32>(phase) == now) {
    if (!sleeps) continue;
    if (slept++ == PATIENCE) unreachable(); // a thread is gone: better an error than silence
    atomic.wait<i32>(phase, now, SECOND);
  }
}
