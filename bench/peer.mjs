import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

/** Debian's own interpreter: the `python3` on the PATH may be one without its packages. */
const PYTHON = process.env.RATEWISE_PEER_PYTHON ?? "/usr/bin/python3";

/**
 * Runs `peers/<script>` with `input` as JSON on its standard input and gives back the JSON it prints.
 * One thread unless told otherwise. Null, with the reason printed, when the peer is missing: the
 * caller then reports the line as failed, never as passed.
 */
export function runPeer(script, input, { threads = 1 } = {}) {
  const path = fileURLToPath(new URL(`peers/${script}`, import.meta.url));
  const count = String(threads);
  const { status, stdout, stderr, error } = spawnSync(PYTHON, [path], {
    input: JSON.stringify({ ...input, threads }),
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      OPENBLAS_NUM_THREADS: count,
      OMP_NUM_THREADS: count,
      MKL_NUM_THREADS: count,
    },
  });
  if (error || status !== 0) {
    console.log(
      `FAILED: peer ${script} did not run: ${error?.message ?? stderr.trim().split("\n").at(-1)}`,
    );
    console.log("  apt-get install -y python3-numpy python3-torch python3-sklearn");
    return null;
  }
  return JSON.parse(stdout);
}

/** Median time in milliseconds of `work`, after one warm-up, over `repeats` runs. */
export async function medianMs(work, repeats = 5) {
  await work();
  const times = [];
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Collects lines "claim, measured ratio, bar" and fails the process at the end if one is missed. */
export function scoreboard(title, versions) {
  console.log(`${title}\n${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`);
  for (const [name, version] of Object.entries(versions)) console.log(`${name}: ${version}`);
  console.log();
  let missed = 0;
  return {
    /** `ratio` must be at least `atLeast` or at most `atMost`; neither: recorded only. */
    line(claim, ratio, { atLeast, atMost, detail = "" } = {}) {
      const bar =
        atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : "";
      const holds =
        ratio !== null && !(ratio < atLeast) && !(ratio > atMost) && Number.isFinite(ratio);
      if (!holds) missed++;
      const verdict = holds ? (bar ? "holds" : "") : "MISSED";
      const value = ratio === null ? "-" : ratio.toPrecision(3);
      console.log(
        `${claim.padEnd(58)} ${value.padStart(8)} ${bar.padStart(8)} ${verdict.padEnd(7)} ${detail}`,
      );
    },
    finish() {
      if (missed > 0) {
        console.log(`\n${missed} bar${missed > 1 ? "s" : ""} missed`);
        process.exitCode = 1;
      }
    },
  };
}
