import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PYTHON = process.env.RATEWISE_PEER_PYTHON ?? "/usr/bin/python3";

/**
 * Starts `peers/<script>` as a process that answers each line of JSON with one, so that peer and our own
 * code can take turns within seconds and a busy machine is hard on both alike. One thread.
 * Null, with the reason printed, when the peer does not start: its lines then fail.
 */
export async function startPeer(script) {
  const path = fileURLToPath(new URL(`peers/${script}`, import.meta.url));
  const one = { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1", MKL_NUM_THREADS: "1" };
  const child = spawn(PYTHON, [path], {
    env: { ...process.env, ...one },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { value, done } = await lines.next();
    return done ? null : JSON.parse(value);
  };
  const about = await answer();
  if (!about) {
    console.log(`FAILED: peer ${script} did not run: apt-get install -y python3-numpy`);
    return null;
  }
  return {
    about,
    async ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return answer();
    },
    close: () => child.kill(),
  };
}

/** A round goes on for so long, in turns, so that other programs are hard on both alike. */
const ROUND_MS = 1500;

/**
 * Medians over rounds in which our `work` and the peer take turns: our time, the peer's, and the peer's
 * over ours within a round.
 */
export async function takeTurns(work, peer, question, rounds) {
  const times = [];
  await peer?.ask(question);
  work();
  for (let round = 0; round < rounds; round++) {
    const end = performance.now() + ROUND_MS;
    let [ours, theirs, turns] = [0, 0, 0];
    do {
      const start = performance.now();
      work();
      ours += performance.now() - start;
      theirs += (await peer?.ask({}))?.ms ?? Number.NaN;
      turns++;
    } while (performance.now() < end);
    times.push({ ours: ours / turns, theirs: theirs / turns, ratio: theirs / ours });
  }
  const median = (field) => times.map((time) => time[field]).sort((a, b) => a - b)[rounds >> 1];
  return {
    ours: median("ours"),
    theirs: peer && median("theirs"),
    ratio: peer && median("ratio"),
  };
}
