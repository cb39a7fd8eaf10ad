import { execFile } from "node:child_process";
import { RatewiseError } from "@ratewise/core";

/** Runs one of Slurm's own programs and gives what it printed. Settings come from its environment: SLURM_CONF, SBATCH_PARTITION, SBATCH_TIMELIMIT, … */
export function slurm(
  program: string,
  parameters: readonly string[],
  input?: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...parameters],
      { timeout: 60_000, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
        reject(
          new RatewiseError("worker", {
            at: "slurm",
            ...(missing
              ? {
                  what: `needs ${program}, which is not installed here`,
                  advice: "run this on a login node of the cluster",
                }
              : {
                  what: `${program} failed: ${(stderr || error.message).trim().replace(/\s*\n\s*/g, "; ")}`,
                }),
            program,
            stderr,
          }),
        );
      },
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** One more than the largest index of an array. */
export async function maxArraySize(): Promise<number> {
  const config = await slurm("scontrol", ["show", "config"]);
  return Number(/^MaxArraySize\s*=\s*(\d+)/m.exec(config)?.[1] ?? 1001);
}

/** The job name of all arrays of a run. */
export function arrayNameOf(run: string): string {
  return `ratewise-${run}`;
}

export interface ArrayRequest {
  readonly name: string;
  readonly elements: number;
  /** Of each element; default: what Slurm gives. */
  readonly cores?: number;
  /** Where the output of element %a of array %A goes. */
  readonly output: string;
  readonly script: string;
}

/** Submits an array and gives its job id. A node that dies has its elements queued again by Slurm. */
export async function submitArray({
  name,
  elements,
  cores,
  output,
  script,
}: ArrayRequest): Promise<string> {
  const printed = await slurm(
    "sbatch",
    [
      "--parsable",
      "--requeue",
      "--open-mode=append",
      `--job-name=${name}`,
      `--array=0-${elements - 1}`,
      ...(cores === undefined ? [] : [`--cpus-per-task=${cores}`]),
      `--output=${output}`,
    ],
    script,
  );
  return printed.trim().split(";")[0];
}

/** Elements of arrays that wait or run, as `job_index`; whatever is not here has ended. */
export async function livingElements(jobs: readonly string[]): Promise<Set<string>> {
  if (jobs.length === 0) return new Set();
  try {
    const printed = await slurm("squeue", [
      "--noheader",
      "--array",
      "--format=%F_%K",
      `--jobs=${jobs.join(",")}`,
    ]);
    return new Set(
      printed
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    );
  } catch (error) {
    // Slurm forgets jobs some minutes after their end.
    if (/Invalid job id/i.test((error as Error).message)) {
      if (jobs.length === 1) return new Set();
      const each = await Promise.all(jobs.map((job) => livingElements([job])));
      return new Set(each.flatMap((living) => [...living]));
    }
    throw error;
  }
}

/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
