import {
  type BlockSource,
  type DenseBlock,
  type StreamPlan,
  streamProjection,
} from "@ratewise/core";

/** Columns or rows that are gone through to learn how long all of them take. */
const COLUMNS = 512;
const ROWS = 16;

/** Seconds that the whole of a plan would take, from a small piece of it, gone through twice: the first time is for the compilers. */
export async function probeSeconds(
  source: BlockSource,
  plan: StreamPlan,
  width: number,
  precision: "double" | "single",
): Promise<number> {
  const columns = plan.by === "columns";
  const total = columns ? source.columns : source.rows;
  const chunk = columns ? source.layout.chunkColumns : source.layout.chunkRows;
  const piece = Math.min(total, plan.blockSize, Math.max(columns ? COLUMNS : ROWS, chunk));
  const part: BlockSource = {
    ...source,
    names: null,
    ...(columns ? { columns: piece } : { rows: Math.max(2, piece) }),
  };
  const hidden: DenseBlock = {
    data: Float64Array.from({ length: part.rows * width }, (_, e) => (e * 7919) % 31),
    rows: part.rows,
    cols: width,
  };
  let seconds = 0;
  for (let turn = 0; turn < 2; turn++) {
    const start = performance.now();
    const one = { by: plan.by, blockSize: piece, blocks: 1 };
    await streamProjection(part, hidden, { plan: one, precision });
    seconds = (performance.now() - start) / 1000;
  }
  return (seconds * total) / piece;
}
