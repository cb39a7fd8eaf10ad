import { engine } from "../../compute/index.ts";
import type { Design } from "../../data/design.ts";
import type { LearningTask, Table } from "../../data/index.ts";
import { needTable } from "../../data/table.ts";
import { type Diagnostic, diagnostic } from "../../diagnostic.ts";
import { RatewiseError, refuseUnknown } from "../../errors.ts";
import { areaUnderRoc } from "../../evaluate/index.ts";
import { errorOfMean, meanOf, squaresOf } from "../../linalg/moments.ts";
import { contentHash, executorInUse } from "../../parallel/index.ts";
import { fold, type Key, keyFromSeed, normals, subsample, uniforms } from "../../random/index.ts";
import { inOrder } from "../../select/at-once.ts";
import { discoveries } from "../../select/index.ts";
import { version } from "../../version.ts";
import { type RunRecord, schemaVersion } from "../document/result.ts";
import { explain } from "../explain.ts";
import { checkExplainOptions, type ExplainOptions, ofExplain } from "../options.ts";
import { prepare } from "../prepare/prepare.ts";
import type { Prepared } from "../prepare/prepared.ts";

export interface PowerOptions
  extends Omit<
    ExplainOptions,
    | "target"
    | "groups"
    | "stability"
    | "top"
    | "families"
    | "model"
    | "task"
    | "splitBy"
    | "time"
    | "folds"
    | "test"
  > {
  /** The table's own response, which is left out; default: none. */
  readonly target?: string;
  /** Of the planted response, default regression. */
  readonly task?: LearningTask;
  /** Variables with an effect; default a third of all, at most 15. */
  readonly causal?: number;
  /** Share of the planted response's variance that is not noise, default 0.6. */
  readonly explainable?: number;
  /** Share of that which comes from products of two causal variables, default 0.5. */
  readonly interactions?: number;
  /** Planted responses, default 10. */
  readonly repeats?: number;
}

const known: Readonly<Record<keyof PowerOptions, true>> = {
  target: true,
  task: true,
  causal: true,
  explainable: true,
  interactions: true,
  repeats: true,
  missing: true,
  testFraction: true,
  weights: true,
  classWeights: true,
  exclude: true,
  keep: true,
  subsample: true,
  seed: true,
  recipe: true,
  hidden: true,
  ensemble: true,
  posterior: true,
  targetScale: true,
  kernel: true,
  workers: true,
  cache: true,
  record: true,
  select: true,
  signal: true,
  onProgress: true,
};

/** A mean over repeats with its 95% interval. */
export interface MeanInterval {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

export interface PowerRepeat {
  readonly causal: readonly string[];
  readonly selected: readonly string[];
  readonly areaRate: number;
  readonly areaDirect: number;
  readonly falseDiscoveryProportion: number;
  readonly power: number;
  readonly heldOut: number;
}

/** What `ratewise power --json` prints. */
export interface PowerDocument extends RunRecord {
  readonly kind: "power";
  readonly schema: typeof schemaVersion;
  readonly task: LearningTask;
  readonly rows: number;
  readonly variables: number;
  readonly causal: number;
  readonly explainable: number;
  readonly interactions: number;
  readonly by: "knockoffs" | "permutation";
  readonly fdr: number;
  /** Area under the ROC curve of the ranking by RATE, and by direct importance. */
  readonly areaRate: MeanInterval;
  readonly areaDirect: MeanInterval;
  readonly falseDiscoveryRate: MeanInterval;
  readonly power: MeanInterval;
  /** Score of the networks on held-out rows. */
  readonly heldOut: MeanInterval;
  readonly repeats: readonly PowerRepeat[];
  readonly diagnostics: readonly Diagnostic[];
  readonly version: string;
}

/** Repeats under way together where their networks are trained elsewhere: each holds a table. */
const MOST_AT_ONCE = 16;
const PLANTED = "(planted response)";
/** Labels that are wrong in a planted classification. */
const FLIPPED = 0.1;

/**
 * What could be found in a table like this one: plants responses with known causes on the table's own columns, runs the whole of `explain` with selection on each,
 * and holds the answers against the truth. f = Σ x_jβ_j + Σ x_jx_kα_jk + ε over the causal variables, normal effects, the three parts scaled to their
 * shares of the variance; classes are its sign, a tenth flipped.
 */
export async function estimatePower(source: Table, options: PowerOptions): Promise<PowerDocument> {
  needTable("power", source);
  refuseUnknown("power", options, known);
  checkExplainOptions("power", ofExplain(options));
  const {
    seed = 1,
    task = "regression",
    explainable = 0.6,
    interactions = 0.5,
    repeats = 10,
  } = options;
  const { select = { fdr: 0.1, by: "knockoffs" as const } } = options;
  checkShares(explainable, interactions, repeats);
  const key = keyFromSeed(seed);
  const others: Table = {
    rows: source.rows,
    columns: source.columns.filter(({ name }) => name !== options.target),
  };
  const base = prepare(
    withResponse(
      others,
      new Float64Array(source.rows).map((_, i) => i % 17),
    ),
    {
      ...options,
      target: PLANTED,
      task: "regression",
      key,
    },
  );
  const names = base.encoding.variables.map(({ name }) => name);
  const most = Math.max(1, Math.floor(names.length / 3));
  const causalCount = options.causal ?? Math.min(15, most);
  if (!(Number.isInteger(causalCount) && causalCount >= 1 && causalCount < names.length))
    throw new RatewiseError("domain", {
      in: "power",
      what: `needs from 1 to ${names.length - 1} causal variables, got ${causalCount}`,
    });
  let done = 0;
  const repeat = async (r: number): Promise<PowerRepeat> => {
    const own = fold(key, "planted", r);
    const causal = [...subsample(fold(own, "causal"), names.length, causalCount)];
    const y = plant(base, causal, { explainable, interactions, task, key: own, rows: source.rows });
    const { document } = await explain(withResponse(others, y), {
      ...ofExplain(options),
      target: PLANTED,
      task,
      select,
      seed: seed + r,
    });
    const truth = document.variables.map(({ name }) => causal.includes(names.indexOf(name)));
    const chosen = document.variables.map(({ selected }) => selected === true);
    const area = (score: (at: number) => number): number =>
      areaUnderRoc(
        Float64Array.from(truth, (_, v) => score(v)),
        truth.map(Number),
      );
    done++;
    options.onProgress?.({ phase: "planted responses", done, total: repeats });
    return {
      causal: causal.map((v) => names[v]),
      selected: document.variables.filter((_, v) => chosen[v]).map(({ name }) => name),
      areaRate: area((v) => document.variables[v].rate!),
      areaDirect: area((v) => document.variables[v].direct!.rate),
      ...discoveries(chosen, truth),
      heldOut: document.model.heldOut.score,
    };
  };
  // Training elsewhere leaves this thread free for the others.
  const rows = await inOrder(repeats, executorInUse() ? MOST_AT_ONCE : 1, repeat);
  const over = (pick: (row: PowerRepeat) => number): MeanInterval =>
    clipped(meanInterval(rows.map(pick)));
  return {
    kind: "power",
    schema: schemaVersion,
    task,
    rows: base.train.X.rows + base.test.X.rows,
    variables: names.length,
    causal: causalCount,
    explainable,
    interactions,
    by: select.by,
    fdr: select.fdr,
    areaRate: over((row) => row.areaRate),
    areaDirect: over((row) => row.areaDirect),
    falseDiscoveryRate: over((row) => row.falseDiscoveryProportion),
    power: over((row) => row.power),
    heldOut: meanInterval(rows.map((row) => row.heldOut)),
    repeats: rows,
    diagnostics: [...base.diagnostics, ...fewToSelect(select, causalCount)],
    seed,
    engine: engine().name,
    version,
    options: { ...options.record },
    dataHash: contentHash(source),
  };
}

function checkShares(explainable: number, interactions: number, repeats: number): void {
  if (!(explainable > 0 && explainable < 1 && interactions >= 0 && interactions <= 1))
    throw new RatewiseError("domain", {
      in: "power",
      what: `needs an explainable share inside (0, 1) and interactions from 0 to 1, got ${explainable} and ${interactions}`,
    });
  if (!(Number.isInteger(repeats) && repeats >= 1))
    throw new RatewiseError("domain", {
      in: "power",
      what: `needs at least 1 repeat, got ${repeats}`,
    });
}

/** The filter selects 1/fdr or more at once, so few causes are found by luck or not at all. */
function fewToSelect({ by, fdr }: { by: string; fdr: number }, causal: number): Diagnostic[] {
  if (by !== "knockoffs" || causal * fdr >= 1.5) return [];
  return [
    diagnostic(
      "few-causes",
      `Knockoffs at a rate of ${fdr} select at least ${Math.ceil(1 / fdr)} variables or none, and only ${causal} are causal. A higher rate finds more.`,
    ),
  ];
}

function withResponse({ rows, columns }: Table, values: Float64Array): Table {
  return { rows, columns: [...columns, { kind: "number", name: PLANTED, values }] };
}

interface Planting {
  readonly explainable: number;
  readonly interactions: number;
  readonly task: LearningTask;
  readonly key: Key;
  /** Of the table; those that are not usable get no response. */
  readonly rows: number;
}

function plant(base: Prepared, causal: readonly number[], planting: Planting): Float64Array {
  const { explainable, interactions, task, key } = planting;
  const columns = base.variables.map(({ members }) => members);
  const parts = [base.train.X, base.test.X];
  const n = parts[0].rows + parts[1].rows;
  const next = normals(fold(key, "effects"));
  // What each causal variable contributes: one number per row, of a category by its level.
  const contributions = causal.map((v) => {
    const effects = columns[v].map(() => next());
    return unit(columnSums(parts, columns[v], effects, n));
  });
  const additive = new Float64Array(n);
  const products = new Float64Array(n);
  const half = Math.ceil(causal.length / 2);
  contributions.forEach((own, a) => {
    const beta = next();
    for (let i = 0; i < n; i++) additive[i] += beta * own[i];
    if (a >= half) return;
    for (let b = half; b < causal.length; b++) {
      const alpha = next();
      for (let i = 0; i < n; i++) products[i] += alpha * own[i] * contributions[b][i];
    }
  });
  const noise = Float64Array.from({ length: n }, normals(fold(key, "noise")));
  const share = causal.length > 1 ? interactions : 0;
  const [f, g, e] = [unit(additive), unit(products), unit(noise)];
  const flip = uniforms(fold(key, "flip"));
  const y = new Float64Array(planting.rows).fill(Number.NaN);
  [...base.rows.train, ...base.rows.test].forEach((row, i) => {
    const value =
      Math.sqrt(explainable * (1 - share)) * f[i] +
      Math.sqrt(explainable * share) * g[i] +
      Math.sqrt(1 - explainable) * e[i];
    y[row] = task === "regression" ? value : Number(value >= 0 !== flip() < FLIPPED);
  });
  return y;
}

function columnSums(
  parts: readonly Design[],
  members: readonly number[],
  effects: readonly number[],
  n: number,
): Float64Array {
  const out = new Float64Array(n);
  let at = 0;
  for (const { data, rows, cols } of parts)
    for (let i = 0; i < rows; i++, at++)
      members.forEach((j, c) => {
        out[at] += effects[c] * data[i * cols + j];
      });
  return out;
}

/** Mean 0, variance 1; all zero where nothing varies. */
function unit(values: Float64Array): Float64Array {
  const mean = meanOf(values);
  const variance = squaresOf(values) / (values.length - 1);
  const scale = variance > 0 ? 1 / Math.sqrt(variance) : 0;
  return values.map((value) => (value - mean) * scale);
}

/** Of shares, which lie in [0, 1]. */
function clipped({ mean, lower, upper }: MeanInterval): MeanInterval {
  return { mean, lower: Math.max(0, lower), upper: Math.min(1, upper) };
}

/** ± 1.96 standard errors; of one repeat nothing is known, and the ends are NaN (null in JSON). */
function meanInterval(values: readonly number[]): MeanInterval {
  const mean = meanOf(values);
  const half = values.length > 1 ? 1.96 * errorOfMean(values) : Number.NaN;
  return { mean, lower: mean - half, upper: mean + half };
}
