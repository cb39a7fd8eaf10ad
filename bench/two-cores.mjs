import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startPeer } from "./live-peer.mjs";

/** Half a second of work, for what takes seconds. */
const WORK = { operation: "product", sizes: [2048, 2048, 2048], precision: "float32" };

const FIRST_LOOKS = 20;

/**
 * How much faster two programs that share nothing are at once than one after the other, now: 2 on a machine with
 * two cores to itself, less where others are at work or both are threads of one core. No program's threads can
 * gain more than that, so gains from threads are counted only at moments when it is near 2. Such moments pass: the
 * work asked of the programs should take about as long as what is measured beside them.
 *
 * Those programs use wide vectors, which a neighbour on the other half of a core hardly slows; see one-core.mjs.
 * `wholeness` sees it: what two loops of instructions, at once, have of the fastest seen so far.
 */
export async function openCoresProbe() {
  const [one, other] = [await startPeer("linalg.py"), await startPeer("linalg.py")];
  if (!one || !other) return null;
  const prepare = (work) => Promise.all([one.ask(work), other.ask(work)]);
  await prepare(WORK);
  const loops = [startLoop(), startLoop()];
  let fastest = Number.POSITIVE_INFINITY;
  const wholeness = async () => {
    const times = await Promise.all(loops.map(({ ms }) => ms()));
    fastest = Math.min(fastest, ...times);
    return fastest / Math.max(...times);
  };
  for (let look = 0; look < FIRST_LOOKS; look++) await wholeness();
  const alone = async (peer) => (await peer.ask({})).ms;
  return {
    prepare,
    wholeness,
    async gain() {
      const before = (await alone(one)) + (await alone(other));
      const together = Math.max(...(await Promise.all([alone(one), alone(other)])));
      return before / together;
    },
    close() {
      one.close();
      other.close();
      for (const loop of loops) loop.close();
    },
  };
}

function startLoop() {
  const child = fork(fileURLToPath(new URL("count-up.mjs", import.meta.url)));
  return {
    ms: () =>
      new Promise((resolve) => {
        child.once("message", resolve);
        child.send("again");
      }),
    close: () => child.kill(),
  };
}
