import { type EffectSizes, keyFromSeed, type RateResult, rate } from "@ratewise/core";
import { rankDocumentText } from "@ratewise/core/explain";
import { writeNpz } from "@ratewise/files";
import { dataHash } from "../input/data-hash.ts";
import type { Io } from "../io.ts";
import { rankingText } from "../output/importance-table.ts";
import { wrap } from "../output/printable.ts";
import { told } from "../output/told.ts";
import { demonstrate, type Role } from "./demo-posterior.ts";

export interface GaussianDemoOptions {
  readonly seed: number;
  readonly engine: string;
  readonly json: boolean;
  readonly out: string | undefined;
}

/** Ranks a small Gaussian whose truth is known, and says what the ranking shows. */
export async function demonstrateGaussian(
  { seed, engine, json, out }: GaussianDemoOptions,
  io: Io,
): Promise<void> {
  const { effects, roles } = demonstrate(keyFromSeed(seed));
  const result = told(rate(effects));
  if (out !== undefined) {
    await io.writeFile(out, [/\.npz$/i.test(out) ? posteriorNpz(effects) : posteriorJson(effects)]);
    io.err(`ratewise: wrote ${out}`);
  }
  const record = { seed, engine, options: {}, dataHash: dataHash(effects) };
  if (json) for (const piece of rankDocumentText(result, record)) await io.out(piece);
  else await io.out(`${rankingText(result, io)}\n${explanation(result, roles, io.columns)}`);
}

/** Written from the ranks that came out, so that it is true for every seed. */
function explanation({ variables }: RateResult, roles: readonly Role[], columns: number): string {
  const width = Math.max(40, Math.min(columns, 120));
  const ranks = (role: Role): string =>
    roles
      .flatMap((it, j) => (it === role ? [variables.rank[j]] : []))
      .sort((a, b) => a - b)
      .join(", ");
  return [
    "What this shows:",
    `The response was made from the three causes only; they have the ranks ${ranks("cause")}. ` +
      `Their stand-ins are correlated with them (0.7) but have no effect of their own; they have the ranks ${ranks("stand-in")}. ` +
      `The bystanders are unrelated to everything; they have the ranks ${ranks("bystander")}.`,
    "The effect of a variable is its covariance with the network's prediction, so a stand-in moves with its cause and scores too: " +
      "this ranking says what moves with the prediction, not what causes the response.",
    "The network has 8 hidden units for 12 variables, so the covariance of the effects has no inverse. The variant called noise adds the noise of a new response to it.",
    "Next: ratewise demo gaussian --out posterior.npz, then ratewise rank posterior.npz",
  ]
    .map((paragraph) => `${wrap(paragraph, width)}\n`)
    .join("\n");
}

function posteriorNpz({ names, mean, factor, noise }: EffectSizes): Uint8Array {
  const p = mean.length;
  return writeNpz([
    ["mean", { shape: [p], data: mean }],
    ["factor", { shape: [p, factor.cols], data: factor.data }],
    ["noise", { shape: [p], data: noise! }],
    ["names", { shape: [p], data: names }],
  ]);
}

function posteriorJson({ names, mean, factor, noise }: EffectSizes): string {
  const rows = Array.from({ length: factor.rows }, (_, j) => [
    ...factor.data.subarray(j * factor.cols, (j + 1) * factor.cols),
  ]);
  return `${JSON.stringify({ names, mean: [...mean], factor: rows, noise: [...noise!] }, null, 1)}\n`;
}
