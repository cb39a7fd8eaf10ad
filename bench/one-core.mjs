import { cpus } from "node:os";
import { countingMs } from "./count-up.mjs";

/** A round goes on for so long, in turns, so that other programs are hard on both alike. */
const ROUND_MS = 500;
/** After so many rounds a machine whose cores are never whole is given up. */
const MOST_ROUNDS = 300;
/** What of a core's speed must be left for a round to count. */
const WHOLE = 0.9;
const FIRST_PROBES = 40;

/**
 * Medians over rounds in which our `work` and the peer take turns on one core: our time, the peer's, and the peer's
 * over ours within a round. Only rounds between two looks at which the core was whole are counted; after others both
 * move to the next core.
 *
 * Why: a core of a rented machine may be half of one, the other half at work for somebody else, both taking turns in
 * issuing instructions. It hardly slows wide vectors, few instructions with much to do each; vectors of 128 bits were
 * seen to lose four tenths of their speed, with the loop of `countingMs`. At such moments the ratio tells of the neighbour.
 */
export async function openOneCore(peer) {
  let fastest = Number.POSITIVE_INFINITY;
  let core = 0;
  const wholeness = () => {
    const ms = countingMs();
    fastest = Math.min(fastest, ms);
    return fastest / ms;
  };
  const keepTo = async (core) => (await peer?.ask({ core, program: process.pid }))?.kept ?? false;
  const kept = await keepTo(core);
  for (const other of cpus().keys()) {
    await keepTo(other);
    for (let i = 0; i < FIRST_PROBES; i++) wholeness();
  }
  await keepTo(core);

  return {
    /** Whether the system lets programs be kept to a core. */
    kept,

    async takeTurns(work, question, rounds) {
      const counted = [];
      let tried = 0;
      await peer?.ask(question);
      work();
      for (let before = wholeness(); counted.length < rounds && tried < MOST_ROUNDS; tried++) {
        const end = performance.now() + ROUND_MS;
        let [ours, theirs, turns] = [0, 0, 0];
        do {
          const start = performance.now();
          work();
          ours += performance.now() - start;
          theirs += (await peer?.ask({}))?.ms ?? Number.NaN;
          turns++;
        } while (performance.now() < end);
        const after = wholeness();
        if (Math.min(before, after) >= WHOLE)
          counted.push({ ours: ours / turns, theirs: theirs / turns, ratio: theirs / ours });
        else {
          core = (core + 1) % cpus().length;
          await keepTo(core);
        }
        before = after < WHOLE ? wholeness() : after;
      }
      const enough = peer && counted.length === rounds;
      const of = (field) => (enough ? median(counted.map((round) => round[field])) : null);
      return {
        ours: of("ours"),
        theirs: of("theirs"),
        ratio: of("ratio"),
        rounds: `${counted.length} of ${tried} rounds counted`,
      };
    },

    /** Lets both programs use all cores again. */
    close: () => keepTo(null),
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
