import {
  engine,
  fold,
  type Key,
  keyFromSeed,
  type Matrix,
  normals,
  type RunOptions,
  rankStability,
  simulate,
} from "@ratewise/core";
import { networkScore, selectByOutputPermutation } from "@ratewise/core/explain";
import {
  bootstrapScores,
  type Score,
  selectByKnockoffs,
  selectByPermutation,
} from "@ratewise/core/select";
import { correlatedNormals } from "@ratewise/core/simulate";

/** `noise`: does pure noise select anything? `uniform`: one p-value of pure noise by each test. `coverage`: do rank intervals cover the ranks of all rows? */
export interface NullRequest {
  readonly study: "noise" | "uniform" | "coverage";
  readonly rows: number;
  readonly variables: number;
  readonly seed: number;
  readonly fdr: number;
}

export interface NullResult extends NullRequest {
  /** Of `noise`: how many were selected by each way. */
  readonly selected: {
    readonly knockoffs: number;
    readonly output: number;
    readonly refits: number;
  } | null;
  /** Of `uniform`: a p-value of the output layer's test and of refits, ties split at random. */
  readonly pValues: { readonly output: number; readonly refits: number } | null;
  /** Of `coverage`: share of the variables whose rank is in its interval. */
  readonly covered: number | null;
  readonly engine: string;
  readonly seconds: number;
}

const SETTINGS = {
  link: "identity",
  hidden: [32, 16],
  recipe: "paper",
  members: 1,
  workers: 0,
} as const;
const score: Score = networkScore({ ...SETTINGS, measure: "direct" });
/** Refits of a permutation test and of a bootstrap. */
const NOISE_REFITS = 199;
const UNIFORM_REFITS = 19;
const RESAMPLES = 60;

export async function runNullCell(request: NullRequest, run: RunOptions = {}): Promise<NullResult> {
  const start = performance.now();
  const key = keyFromSeed(request.seed);
  const parts = { selected: null, pValues: null, covered: null };
  const done = (own: Partial<NullResult>): NullResult => ({
    ...request,
    ...parts,
    ...own,
    engine: engine().name,
    seconds: (performance.now() - start) / 1000,
  });
  if (request.study === "coverage") return done({ covered: await coverage(request, key, run) });
  const { rows, variables, fdr } = request;
  const X = correlatedNormals(rows, variables, { kind: "independent" }, fold(key, "X"));
  const y = Float64Array.from({ length: rows }, normals(fold(key, "y")));
  const units = Array.from({ length: variables }, (_, j) => [j]);
  const whole = units.map(([j]) => j);
  const output = { ...run, ...SETTINGS, units, whole, fdr, key: fold(key, "output") };
  const refits = { ...run, score, fdr, key: fold(key, "refits") };
  if (request.study === "uniform") {
    const exact = { randomiseTies: true, permutations: UNIFORM_REFITS };
    const [a, b] = [
      await selectByOutputPermutation(X, y, { ...output, ...exact, permutations: 999 }),
      await selectByPermutation(X, y, { ...refits, ...exact, stopWhenDecided: false }),
    ];
    return done({ pValues: { output: a.pValues[0], refits: b.pValues[0] } });
  }
  const count = (selected: readonly boolean[]): number => selected.filter(Boolean).length;
  const knockoffs = await selectByKnockoffs(X, y, {
    ...run,
    score,
    fdr,
    key: fold(key, "knockoffs"),
  });
  const byOutput = await selectByOutputPermutation(X, y, { ...output, permutations: 5000 });
  const byRefits = await selectByPermutation(X, y, { ...refits, permutations: NOISE_REFITS });
  return done({
    selected: {
      knockoffs: count(knockoffs.selected),
      output: count(byOutput.selected),
      refits: count(byRefits.selected),
    },
  });
}

/** A bootstrap trial: rows drawn from the whole table play a new one, whose intervals should hold the ranks of the whole. */
async function coverage(
  { rows, variables }: NullRequest,
  key: Key,
  run: RunOptions,
): Promise<number> {
  // The same table for every trial: seeds differ in the rows drawn from it.
  const { X, y } = simulate({
    key: keyFromSeed(0),
    rows,
    variables,
    causalSetSize: Math.floor(variables / 10),
  });
  const units = Array.from({ length: variables }, (_, j) => [j]);
  const full = ranksOf(await score(X, y, keyFromSeed(0), { ...run, units }));
  const trial: { X: Matrix; y: Float64Array }[] = [];
  const keep: Score = (rowsDrawn, response) => {
    trial.push({ X: rowsDrawn, y: response });
    return new Float64Array(variables);
  };
  await bootstrapScores(X, y, { key: fold(key, "trial"), score: keep, resamples: 1 });
  const draws = await bootstrapScores(trial[0].X, trial[0].y, {
    ...run,
    key: fold(key, "inner"),
    score,
    resamples: RESAMPLES,
  });
  const { lower, upper } = rankStability(draws);
  return full.filter((rank, j) => lower[j] <= rank && rank <= upper[j]).length / variables;
}

function ranksOf(scores: Float64Array): number[] {
  return Array.from(scores, (own) => 1 + scores.filter((other) => other > own).length);
}
