import type { Design } from "../../data/design.ts";
import type { RowStructure } from "../../data/row-structure.ts";
import type { Matrix } from "../../linalg/index.ts";
import { meansOfColumns, squaresOfColumns } from "../../linalg/moments.ts";
import type { Architecture, Link, Network, RecipeName } from "../../network/index.ts";
import { fold, type Key } from "../../random/index.ts";
import type { Group } from "../../rate/index.ts";
import type { RunOptions } from "../../run.ts";
import type { Partition, Score } from "../../select/index.ts";
import type { TaskCache } from "../fit/cached-tasks.ts";
import { rateOfNetworks } from "../fit/column-rates.ts";
import { directImportance } from "../fit/direct.ts";
import { fitEnsemble } from "../fit/fit-member.ts";
import { sizesToTry } from "../fit/sizes.ts";

export interface NetworkScoreOptions {
  readonly link: Link;
  /** Of a softmax. */
  readonly classes?: number;
  /** Units of the hidden layers; null for the smallest networks that are tried. */
  readonly hidden: readonly number[] | null;
  readonly recipe: RecipeName;
  /** Networks to average. */
  readonly members: number;
  /** `direct`: from derivatives; `rate`: the paper's, of covariances. */
  readonly measure: "direct" | "rate";
  /** Columns of each variable, which the input penalty shrinks together; copies follow in the same order. Default: each column. */
  readonly variables?: Partition;
  /** What ties rows together, in training too: of the rows in the order in which they are scored. */
  readonly structure?: RowStructure;
  readonly workers?: number;
  readonly cache?: TaskCache;
  /** What each row counts; default the same. */
  readonly weights?: Float64Array;
}

/** The networks of an ensemble for these rows, which penalise a variable and its copies alike. */
export async function networksFor(
  options: Omit<NetworkScoreOptions, "measure">,
  X: Design,
  y: Float64Array,
  key: Key,
  run: RunOptions,
): Promise<Network[]> {
  const members = await fitEnsemble(X, y, {
    ...run,
    key: fold(key, "network"),
    architectures: [architectureOf(options, X.cols)],
    linearAlone: options.hidden === null,
    recipe: options.recipe,
    penaltyGroups: repeated(options.variables, X.cols),
    members: options.members,
    ...(options.structure && { structure: options.structure }),
    ...(options.workers !== undefined && { workers: options.workers }),
    ...(options.cache && { cache: options.cache }),
    ...(options.weights && { weights: options.weights }),
  });
  return members.map(({ network }) => network);
}

/** Trains an ensemble on whatever columns it is given and scores them by it: the score that knockoffs and full refits take. */
export function networkScore(options: NetworkScoreOptions): Score {
  return async (X, y, key, { units, signal, onProgress }) => {
    const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
    const design = unitVariance(X);
    const networks = await networksFor(options, design, y, key, run);
    const groups: Group[] = units.map((columns, u) => ({ name: `${u}`, members: columns }));
    const columnNames = Array.from({ length: X.cols }, (_, j) => `${j}`);
    const rated = rateOfNetworks(networks, design, y, { columnNames, groups });
    if (options.measure === "rate") {
      const sum = new Float64Array(units.length);
      for (const { groups: scored } of rated.results)
        scored!.kld.forEach((kld, u) => {
          sum[u] += kld;
        });
      return sum;
    }
    const { noiseVariance } = rated;
    return (await directImportance(networks, design, { ...run, noiseVariance, groups })).scores;
  };
}

function architectureOf(
  {
    link,
    classes,
    recipe,
    hidden,
  }: Pick<NetworkScoreOptions, "link" | "classes" | "recipe" | "hidden">,
  inputs: number,
): Architecture {
  const [layers] = sizesToTry(recipe, hidden);
  return {
    inputs,
    layers: layers.map((units) => ({ kind: "dense" as const, units, activation: "relu" as const })),
    link,
    ...(link === "softmax" && classes !== undefined && { classes }),
  };
}

/** The variables' columns once for every copy of them in a table of `cols` columns. */
function repeated(variables: Partition | undefined, cols: number): number[][] {
  if (!variables) return Array.from({ length: cols }, (_, j) => [j]);
  const p = variables.reduce((sum, members) => sum + members.length, 0);
  return Array.from({ length: cols / p }, (_, copy) =>
    variables.map((members) => members.map((j) => copy * p + j)),
  ).flat();
}

/** Centred columns over their standard deviation, as networks take them; a constant one is zero. */
export function unitVariance(X: Matrix): Design {
  const { data, rows, cols } = X;
  const mean = meansOfColumns(X);
  const scale = squaresOfColumns(X, mean).map((sum) => (sum > 0 ? Math.sqrt((rows - 1) / sum) : 0));
  const out = new Float32Array(rows * cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) out[i * cols + j] = (data[i * cols + j] - mean[j]) * scale[j];
  return { data: out, rows, cols };
}
