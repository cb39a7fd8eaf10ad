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
