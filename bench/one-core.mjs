import { countingMs } from "./count-up.mjs";
import { median } from "./peer.mjs";

/** A round goes on for so long, in turns, so that other programs are hard on both alike. */
const ROUND_MS = 500;
/** What takes less is done several times in a row: what the other side left in the caches is not to count. */
const TURN_MS = 20;
/** After so many looks a machine whose cores are never whole is given up. */
const MOST_LOOKS = 600;
/** What of a core's speed must be left for a round to begin and to count. */
const WHOLE = 0.9;
const FIRST_LOOKS = 40;

/**
 * Medians over rounds in which our `work` and the peer take turns on one core: our time, the peer's, and the peer's
 * over ours within a round. A round begins on a core that is whole, and counts if it is whole afterwards; else both
 * move to the next core.
 *
 * Why: a core of a rented machine may be half of one, the other half at work for somebody else, both taking turns in
 * issuing instructions. It hardly slows wide vectors, few instructions with much to do each; vectors of 128 bits were
 * seen to lose four tenths of their speed, with the loop of `countingMs`. At such moments the ratio tells of the neighbour.
 */
export async function openOneCore(peer) {
  const cores = peer?.about.cores ?? [];
  let at = 0;
  const keepTo = (some) => peer.ask({ cores: some, program: process.pid });
  const moveOn = async () => {
    at = (at + 1) % Math.max(1, cores.length);
    if (cores.length > 0) await keepTo([cores[at]]);
  };
  let fastest = Number.POSITIVE_INFINITY;
  const isWhole = () => {
    const ms = countingMs();
    fastest = Math.min(fastest, ms);
    return fastest / ms >= WHOLE;
  };
  for (let core = 0; core === 0 || core < cores.length; core++) {
    await moveOn();
    for (let look = 0; look < FIRST_LOOKS; look++) isWhole();
  }

  return {
    /** Whether the system lets programs be kept to a core. */
    kept: cores.length > 0,

    async takeTurns(work, question, rounds) {
      work();
      const start = performance.now();
      work();
      const inRow = Math.ceil(TURN_MS / (performance.now() - start));
      await peer?.ask({ ...question, times: inRow });
      const begun = [];
      const counted = [];
      let whole = isWhole();
      for (let looks = 0; counted.length < rounds && looks < MOST_LOOKS; looks++) {
        if (!whole) {
          await moveOn();
          whole = isWhole();
          continue;
        }
        const round = await oneRound(work, peer, inRow);
        begun.push(round);
        whole = isWhole();
        if (whole) counted.push(round);
      }
      const enough = peer && counted.length === rounds;
      const of = (field) => (enough ? median(counted.map((round) => round[field])) : null);
      const every = begun.length > 0 ? median(begun.map(({ ratio }) => ratio)).toFixed(2) : "-";
      return {
        ours: of("ours"),
        theirs: of("theirs"),
        ratio: of("ratio"),
        rounds: `${counted.length} of ${begun.length} rounds counted (speed in all: ${every})`,
      };
    },

    /** Lets both programs use all cores again. */
    async close() {
      if (cores.length > 0) await keepTo(cores);
    },
  };
}

async function oneRound(work, peer, inRow) {
  const end = performance.now() + ROUND_MS;
  let [ours, theirs, times] = [0, 0, 0];
  do {
    const start = performance.now();
    for (let k = 0; k < inRow; k++) work();
    ours += performance.now() - start;
    theirs += (await peer?.ask({}))?.ms ?? Number.NaN;
    times += inRow;
  } while (performance.now() < end);
  return { ours: ours / times, theirs: theirs / times, ratio: theirs / ours };
}
