import { type NpyHeader, readNpyHeader } from "../data/npy-header.ts";
import { RatewiseError } from "../errors.ts";
import type { ByteSource } from "../host/byte-source.ts";
import type { Rows } from "../linalg/rows.ts";
import type { BlockRoom, BlockSource, BlockSpan } from "./block-source.ts";
import { numbersOfBytes } from "./raw-numbers.ts";

/** The longest header that is read, and what comes before it. */
const HEAD_BYTES = 65_535 + 12;

/**
 * A .npy file of numbers in blocks: the first index are the rows, all others together the columns. Row-major
 * files have their rows in one piece, and columns in a piece a row; column-major ones (two indexes) the other way round.
 */
export async function npySource(
  bytes: ByteSource,
  {
    where = "npySource",
    names,
  }: { readonly where?: string; readonly names?: readonly string[] } = {},
): Promise<BlockSource> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, bytes.size));
  await bytes.readInto(head, 0);
  const header = readNpyHeader(head);
  const [rows, columns] = checkShape(where, header, bytes.size);
  const byRows = !header.fortranOrder;
  return {
    where,
    format: "npy",
    rows,
    columns,
    names: names ?? null,
    rowShape: header.shape.slice(1),
    layout: {
      chunkRows: 1,
      chunkColumns: 1,
      prefers: byRows ? "rows" : "columns",
      bytesEach: header.itemSize,
      memoryEach: header.itemSize + (isPlain(header) && byRows ? 0 : 8),
    },
    readColumns: (span, room) =>
      readPart(
        bytes,
        header,
        { rows: { start: 0, end: rows }, columns: span, width: columns, height: rows },
        room,
      ),
    readRows: (span, room) =>
      readPart(
        bytes,
        header,
        { rows: span, columns: { start: 0, end: columns }, width: columns, height: rows },
        room,
      ),
  };
}

function checkShape(
  where: string,
  { shape, kind, fortranOrder, itemSize, offset }: NpyHeader,
  size: number,
): [number, number] {
  const rows = shape[0] ?? 0;
  const columns = shape.slice(1).reduce((product, n) => product * n, 1);
  if (shape.length < 2 || rows === 0 || columns === 0)
    throw new RatewiseError("shape", {
      at: where,
      what: `needs rows and columns, got shape (${shape.join(", ")})`,
    });
  if (kind === "text" || kind === "ascii")
    throw new RatewiseError("parse", { at: where, what: "needs numbers, got texts" });
  if (fortranOrder && shape.length > 2)
    throw new RatewiseError("parse", {
      at: where,
      what: "needs images in row-major order, got Fortran order",
      advice: "save them with numpy.ascontiguousarray",
    });
  const needed = offset + rows * columns * itemSize;
  if (size !== needed)
    throw new RatewiseError("parse", {
      at: where,
      what: `needs ${needed} bytes for shape (${shape.join(", ")}), got ${size}`,
      advice: `it is ${size > needed ? "longer than its header says" : "cut off"}`,
      needed,
      got: size,
    });
  return [rows, columns];
}

interface Part {
  readonly rows: BlockSpan;
  readonly columns: BlockSpan;
  /** Of the whole array. */
  readonly width: number;
  readonly height: number;
}

/** Whether the bytes are the numbers. */
function isPlain({ kind, bigEndian }: NpyHeader): boolean {
  return kind === "float" && !bigEndian;
}

async function readPart(
  bytes: ByteSource,
  header: NpyHeader,
  { rows, columns, width, height }: Part,
  room: BlockRoom,
): Promise<Rows> {
  const { itemSize, offset, fortranOrder } = header;
  const n = rows.end - rows.start;
  const p = columns.end - columns.start;
  // In the file, `outer` stretches of `inner` numbers each, `stride` apart.
  const [outer, inner, stride, from] = fortranOrder
    ? [p, n, height, columns.start * height + rows.start]
    : [n, p, width, rows.start * width + columns.start];
  const raw = room.bytes(n * p * itemSize);
  if (inner === stride) await bytes.readInto(raw, offset + from * itemSize);
  else
    for (let o = 0; o < outer; o++)
      await bytes.readInto(
        raw.subarray(o * inner * itemSize, (o + 1) * inner * itemSize),
        offset + (from + o * stride) * itemSize,
      );
  const numbers = numbersOfBytes(raw, header, room);
  if (!fortranOrder) return { data: numbers, rows: n, cols: p };
  // Decoded numbers stand in the room's own array already: then they are turned over in a copy.
  const source = isPlain(header) ? numbers : numbers.slice();
  const data = room.float64(n * p);
  for (let j = 0; j < p; j++) for (let i = 0; i < n; i++) data[i * p + j] = source[j * n + i];
  return { data, rows: n, cols: p };
}
