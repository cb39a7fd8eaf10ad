import { type Matrix, matrix } from "@ratewise/core";
import { contentHash } from "@ratewise/core/parallel";
import type { BlockSource, StreamHeldOut } from "@ratewise/core/stream";
import type { HiddenFrom, Training } from "./hidden-from.ts";
import type { BlockFolder } from "./kept-blocks.ts";
import { type EpochsFile, epochsFile } from "./kept-epochs.ts";
import type { StreamResponse } from "./response.ts";

/** What comes of a training, as far as a run goes on from it. */
export interface Trained {
  readonly hidden: Matrix;
  readonly direct: Float64Array;
  readonly penalty: number;
  readonly score: number;
  readonly epochs: number;
  readonly heldOut: StreamHeldOut;
}

/** Where a training is kept: what came of it, and before that where it stands. */
export interface KeptTraining {
  readonly blocks: BlockFolder;
  /** Of what came of it, among the blocks. */
  readonly id: string;
  readonly epochs: EpochsFile;
}

/** The places of a training; null where none is asked for. */
export function keptTraining(
  blocks: BlockFolder | null,
  source: BlockSource,
  response: StreamResponse | null,
  { from, seed }: { readonly from: HiddenFrom; readonly seed: number },
  engine: string,
): KeptTraining | null {
  if (!blocks || !response || from.kind !== "train") return null;
  const id = trainingId(source, response.values, from, seed, engine);
  return { blocks, id: `training-${id}`, epochs: epochsFile(blocks.path(`epochs-${id}`)) };
}

/** The name of a training: everything that it depends on but the numbers of X themselves, as for blocks. */
function trainingId(
  { where, rows, columns }: Pick<BlockSource, "where" | "rows" | "columns">,
  response: Float64Array,
  { units, penalties, epochs, batchSize }: Training,
  seed: number,
  engine: string,
): string {
  const hash = contentHash({
    x: [where, rows, columns],
    ...{ response, units, seed, engine },
    asked: [penalties ?? null, epochs ?? null, batchSize ?? null],
  });
  return hash.replaceAll(":", "-").slice(0, 40);
}

const HEAD = 10;

/** One array, for a folder of finished blocks. */
export function numbersOf({
  hidden,
  direct,
  penalty,
  score,
  epochs,
  heldOut,
}: Trained): Float64Array {
  const out = new Float64Array(HEAD + hidden.data.length + direct.length);
  const metric = heldOut.metric === "r2" ? 0 : 1;
  out.set([
    penalty,
    score,
    epochs,
    metric,
    heldOut.score,
    heldOut.baseline,
    heldOut.rows,
    heldOut.standardError,
    heldOut.gain.value,
    heldOut.gain.standardError,
  ]);
  out.set(hidden.data, HEAD);
  out.set(direct, HEAD + hidden.data.length);
  return out;
}

/** What was kept; null where there is none of this shape. */
export function trainingOf(
  numbers: Float64Array | null,
  {
    rows,
    columns,
    width,
  }: { readonly rows: number; readonly columns: number; readonly width: number },
): Trained | null {
  if (numbers?.length !== HEAD + rows * width + columns) return null;
  const [penalty, score, epochs, metric, held, baseline, heldRows, standardError, ...more] =
    numbers.subarray(0, HEAD);
  const [value, error] = more;
  return {
    ...{ penalty, score, epochs },
    hidden: matrix(rows, width, numbers.slice(HEAD, HEAD + rows * width)),
    direct: numbers.slice(HEAD + rows * width),
    heldOut: {
      ...{ metric: metric === 0 ? "r2" : "accuracy", score: held },
      ...{ baseline, standardError, rows: heldRows },
      gain: { value, standardError: error },
    },
  };
}
