import { shapeError } from "../errors.ts";
import type { BlockRoom, BlockSource } from "./block-source.ts";
import { blockRoom, isGenotypes } from "./block-source.ts";
import { packColumn } from "./genotype-batch.ts";
import { genotypeRows } from "./genotype-rows.ts";

/**
 * Some rows of a source, in increasing order, as a source: what stays when rows without a response are left out. Columns are read whole and
 * thinned; rows are read between the first and the last one wanted. Missing genotypes stand at their variant's mean over these rows.
 */
export function rowSubset(source: BlockSource, rows: Uint32Array): BlockSource {
  const sorted = rows.every((row, i) => row < source.rows && (i === 0 || row > rows[i - 1]));
  if (!sorted || rows.length === 0)
    throw shapeError(
      "rowSubset",
      `rows below ${source.rows} in increasing order`,
      `${rows.length}`,
    );
  const rooms = new WeakMap<BlockRoom, BlockRoom>();
  const roomFor = (room: BlockRoom): BlockRoom => {
    const found = rooms.get(room) ?? blockRoom();
    rooms.set(room, found);
    return found;
  };
  const readColumns: BlockSource["readColumns"] = async (span, room) => {
    const block = await source.readColumns(span, roomFor(room));
    if (isGenotypes(block)) {
      const stride = Math.ceil(block.samples / 4);
      const each = Math.ceil(rows.length / 4);
      const bed = room.bytes(block.snps * each).fill(0);
      for (let s = 0; s < block.snps; s++) packColumn(bed, s * each, block.bed, s * stride, rows);
      return { bed, snps: block.snps, samples: rows.length };
    }
    const data = room.float64(rows.length * block.cols);
    for (const [i, row] of rows.entries())
      data.set(block.data.subarray(row * block.cols, (row + 1) * block.cols), i * block.cols);
    return { data, rows: rows.length, cols: block.cols };
  };
  const readRows: BlockSource["readRows"] = async ({ start, end }, room) => {
    const first = rows[start];
    const block = await source.readRows({ start: first, end: rows[end - 1] + 1 }, roomFor(room));
    const data = room.float64((end - start) * block.cols);
    for (let i = start; i < end; i++) {
      const from = (rows[i] - first) * block.cols;
      data.set(block.data.subarray(from, from + block.cols), (i - start) * block.cols);
    }
    return { data, rows: end - start, cols: block.cols };
  };
  return {
    ...source,
    rows: rows.length,
    rowNumbers: source.rowNumbers ? rows.map((row) => source.rowNumbers![row]) : rows,
    layout: { ...source.layout, memoryEach: 2 * source.layout.memoryEach },
    readColumns,
    readRows:
      source.format === "bed" ? genotypeRows(rows.length, source.columns, readColumns) : readRows,
  };
}
