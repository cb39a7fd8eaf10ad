import { fold, keyFromSeed, type Matrix, matrix, normals } from "@ratewise/core";
import type { VariableGroup } from "@ratewise/core/data";
import type { Projected } from "@ratewise/core/effects";
import { rankDocumentText } from "@ratewise/core/explain";
import { type BlockSource, type StreamPlan, streamProjection } from "@ratewise/core/stream";
import { openNetworkFile } from "../../input/network-file.ts";
import type { Io } from "../../io.ts";
import { answerOf, nullsOf, outputsOf } from "./answer.ts";
import { extrapolate } from "./extrapolate.ts";
import { hiddenLayer, refitOf, train } from "./hidden.ts";
import type { Training } from "./hidden-from.ts";
import { importanceCsv } from "./importance-csv.ts";
import type { StreamResponse } from "./response.ts";
import type { StreamSettings } from "./settings.ts";

/** Columns, rows and variables of a first trial. */
const COLUMNS = 512;
const ROWS = 16;
const VARIABLES = 2048;

/** Seconds of each stage of a run. */
export interface StageSeconds {
  /** Arranging X for training, first weights, last scores; 0 where nothing is trained. */
  readonly beforeTraining: number;
  readonly epoch: number;
  /** Reading or running a network, and fitting its last layer. */
  readonly hidden: number;
  /** Going through X. */
  readonly pass: number;
  /** RATE, permutations, and what is written. */
  readonly answer: number;
}

export interface Rehearsed {
  readonly source: BlockSource;
  readonly response: StreamResponse | null;
  readonly plan: StreamPlan;
  readonly width: number;
  readonly groups: readonly VariableGroup[] | undefined;
  readonly checked: StreamSettings;
  readonly io: Io;
}

/** What the stages of a run would take, by doing small parts of each as the run would. `now` in milliseconds. */
export async function rehearse(
  work: Rehearsed,
  now: () => number = () => performance.now(),
): Promise<StageSeconds> {
  const { source, response, plan, width, checked, io } = work;
  const { from } = checked;
  const timed = async (action: () => unknown): Promise<number> => {
    const start = now();
    await action();
    return (now() - start) / 1000;
  };
  let [beforeTraining, epoch, hidden] = [0, 0, 0];
  if (from.kind === "train" && response)
    [beforeTraining, epoch] = await extrapolate(source.columns, firstColumns(source), (columns) =>
      trainingTrial(work, from, columns, now),
    );
  if (from.kind === "onnx") {
    const network = await openNetworkFile(from.path, io);
    const { streamActivations } = await import("@ratewise/onnx");
    [hidden] = await extrapolate(
      source.rows,
      Math.max(ROWS, network.layout.batch ?? 1),
      async (rows) => [
        await timed(() => streamActivations(network, { ...source, rows }, { where: from.path })),
      ],
    );
  }
  const H = randomMatrix(source.rows, width);
  hidden += await timed(() =>
    from.kind === "activations"
      ? hiddenLayer(from, source, response, checked, io)
      : response && refitOf(H, response),
  );
  const columns = plan.by === "columns";
  const [pass] = await extrapolate(
    columns ? source.columns : source.rows,
    columns ? firstColumns(source) : Math.max(ROWS, source.layout.chunkRows),
    async (units) => [await timed(() => passTrial(source, plan, H, units, checked.precision))],
  );
  const [answer] = await extrapolate(source.columns, VARIABLES, async (variables) => [
    await timed(() => answerTrial(variables, H, work)),
  ]);
  return { beforeTraining, epoch, hidden, pass, answer };
}

function firstColumns({ columns, layout }: BlockSource): number {
  return Math.min(columns, Math.max(COLUMNS, layout.chunkColumns));
}

/** Two epochs of a network on the first columns: all of it but the second, and the second, which begins when the first is over. */
async function trainingTrial(
  { source, response, checked: { seed, memory } }: Rehearsed,
  from: Training,
  columns: number,
  now: () => number,
): Promise<readonly number[]> {
  const part: BlockSource = { ...source, columns, names: null };
  const penalty = from.penalties?.[0] ?? 2;
  const ends = [0, 0];
  const start = now();
  await train({ ...from, penalties: [penalty, penalty], epochs: 1 }, part, response!, {
    ...{ seed, memory },
    onProgress: ({ phase, done }) => {
      // Said once more after the rows held back were scored.
      if (phase === "train" && (done === 1 || done === 2)) ends[done - 1] = now();
    },
  });
  const epoch = (ends[1] - ends[0]) / 1000;
  return [(now() - start) / 1000 - 2 * epoch, epoch];
}

async function passTrial(
  source: BlockSource,
  { by, blockSize }: StreamPlan,
  H: Matrix,
  units: number,
  precision: "double" | "single",
): Promise<void> {
  const rows = by === "rows" ? Math.max(2, units) : source.rows;
  const columns = by === "columns" ? units : source.columns;
  const size = Math.min(blockSize, units);
  const part: BlockSource = { ...source, names: null, rows, columns };
  const hidden = { data: H.data.subarray(0, rows * H.cols), rows, cols: H.cols };
  const plan = { by, blockSize: size, blocks: Math.ceil((by === "rows" ? rows : columns) / size) };
  await streamProjection(part, hidden, { plan, precision });
}

/** RATE of so many made-up variables and their share of the groups, with permutations and texts where they are asked for. */
async function answerTrial(
  variables: number,
  hidden: Matrix,
  { source, response, groups = [], checked }: Rehearsed,
): Promise<void> {
  const l = hidden.cols;
  const projected: Projected = {
    names: Array.from({ length: variables }, (_, j) => `variable${j + 1}`),
    hidden: randomMatrix(variables, l),
    squaredNorms: new Float64Array(variables).fill(1 / source.rows),
  };
  const weights = { mean: hidden.data.slice(0, l), covariance: new Float64Array(l).fill(0.01) };
  const outputs = Array.from({ length: outputsOf(response?.classes) }, () => weights);
  const layer = {
    hidden,
    refit: { posterior: { outputs, link: "logistic" }, noiseVariance: null },
  };
  const share = Math.ceil((groups.length * variables) / source.columns);
  const within = groups.slice(0, share).map(({ name, members }) => ({
    name,
    members: [...new Set(members.map((j) => j % variables))],
  }));
  const sets = groups.length > 0 ? within : undefined;
  const made = answerOf(projected, layer, sets);
  const nulls = response && (await nullsOf(made, layer, sets, response, checked));
  if (!checked.kept) return;
  const record = { seed: 1, engine: "", options: {}, dataHash: "" };
  const selection = nulls?.variables ?? null;
  spend(rankDocumentText(made.result, record));
  spend(importanceCsv(made.result, { variants: null, copies: null, direct: null, selection }));
}

/** Makes every piece and keeps none. */
function spend(pieces: Iterable<string>): number {
  let letters = 0;
  for (const piece of pieces) letters += piece.length;
  return letters;
}

/** Numbers of no meaning: a hidden layer before there is one. */
function randomMatrix(rows: number, cols: number): Matrix {
  const next = normals(fold(keyFromSeed(1), "rehearsal"));
  return matrix(rows, cols, Float64Array.from({ length: rows * cols }, next));
}
