import { RatewiseError, refuseUnknown, refuseUnlisted } from "../errors.ts";
import type { BlockSource, BlockSpan } from "./block-source.ts";

export const directions = ["columns", "rows"] as const;
export type Direction = (typeof directions)[number];

export const precisions = ["double", "single"] as const;
export type StreamPrecision = (typeof precisions)[number];

/** How X will be gone through. */
export interface StreamPlan {
  readonly by: Direction;
  /** Rows or columns of a block; the last may have fewer. */
  readonly blockSize: number;
  readonly blocks: number;
  /** Peak memory, bytes: the runtime, what grows with n and p, and two blocks. */
  readonly memory: number;
  /** Bytes that finished blocks take on a disk when they are kept. */
  readonly disk: number;
  /** Bytes that are read from the file. */
  readonly read: number;
  /** 2·n·p·l. */
  readonly operations: number;
}

export interface PlanOptions {
  /** l, the width of the last hidden layer. */
  readonly width: number;
  /** Bytes that may be used; default 2 GB. */
  readonly memory?: number;
  /** Forces a way through the file; default the cheaper one that fits. */
  readonly by?: Direction;
  /** Rows or columns of a block; default as many as memory allows, up to where more are no faster. */
  readonly blockSize?: number;
  /** Precision of genotypes' products; default double. */
  readonly precision?: StreamPrecision;
  /** Outputs (classes of a softmax): with more than one, what is projected is kept beside the factor. Default 1. */
  readonly outputs?: number;
  /** Bytes per variable that the caller needs besides: for groups, say. Default 0. */
  readonly perVariable?: number;
}

const known: Readonly<Record<keyof PlanOptions, true>> = {
  width: true,
  memory: true,
  by: true,
  blockSize: true,
  precision: true,
  outputs: true,
  perVariable: true,
};

const GIGABYTE = 2 ** 30;
/** What the runtime, its code and its collector take before there is any data. Measured with Node 20 to 26. */
const RUNTIME = 150 * 2 ** 20;
/** Blocks beyond this are not read any faster. */
const LARGEST_BLOCK = 64 * 2 ** 20;
/** Bytes per variable beside its l numbers: a name, its place, eleven scores, an order, texts of them all that await the collector. Measured. */
const PER_VARIABLE = 350;

/**
 * Blocks for a source and an amount of memory. By columns, the l×1 products of a block are done when it has been read; by rows,
 * those of all p columns stand in memory until the end, and as much again to centre each block. Blocks are whole
 * chunks of the file wherever memory allows it, for a chunk is decoded whole however little of it is used.
 */
export function planStream(
  source: Pick<BlockSource, "where" | "rows" | "columns" | "layout" | "format">,
  options: PlanOptions,
): StreamPlan {
  refuseUnknown("planStream", options, known);
  refuseUnlisted("planStream", "by", directions, options.by);
  refuseUnlisted("planStream", "precision", precisions, options.precision);
  const { width: l, memory = 2 * GIGABYTE, by } = options;
  if (!(Number.isSafeInteger(l) && l > 0))
    throw new RatewiseError("domain", { in: "planStream", what: `needs a width ≥ 1, got ${l}` });
  const { blockSize = 1 } = options;
  if (!(Number.isSafeInteger(blockSize) && blockSize > 0))
    throw new RatewiseError("domain", {
      in: "planStream",
      what: `needs blocks of at least 1, got ${blockSize}`,
    });
  const ways = by
    ? [by]
    : source.layout.prefers === "rows"
      ? (["rows", "columns"] as const)
      : (["columns", "rows"] as const);
  const tried = ways.map((way) => planWay(source, way, options));
  const fitting = tried.find((plan) => plan.memory <= memory);
  if (fitting) return fitting;
  const least = Math.min(...tried.map((plan) => plan.memory));
  throw new RatewiseError("memory", {
    at: source.where,
    what: `needs at least ${megabytes(least)} MB for ${source.columns} variables and ${l} hidden units, may use ${megabytes(memory)} MB`,
    advice: "allow more, or use fewer hidden units",
    needed: least,
    memory,
  });
}

function planWay(
  {
    rows: n,
    columns: p,
    layout,
    format,
  }: Pick<BlockSource, "rows" | "columns" | "layout" | "format">,
  by: "columns" | "rows",
  options: PlanOptions,
): StreamPlan {
  const { width: l, memory = 2 * GIGABYTE, precision = "double", outputs = 1 } = options;
  const perVariable = PER_VARIABLE + (options.perVariable ?? 0);
  const genotypes = format === "bed";
  const factors = outputs > 1 ? 2 : 1;
  // H, H centred, and its copy for the kernels.
  const fixed =
    RUNTIME + (layout.overhead ?? 0) + 8 * p * l * factors + p * perVariable + 3 * 8 * n * l;
  const total = by === "columns" ? p : n;
  const other = by === "columns" ? n : p;
  const chunk = Math.min(total, by === "columns" ? layout.chunkColumns : layout.chunkRows);
  // Two blocks in flight; dense blocks are copied once more by the products, and so is what comes of a block.
  const products = by === "columns" ? 2 * (genotypes && precision === "single" ? 4 : 8) * l : 0;
  // Rows of genotypes are numbers of eight bytes each.
  const expanded = genotypes && by === "rows";
  const inFlight = expanded ? 2 * 8 : 2 * layout.memoryEach + (genotypes ? 1 / 4 : 0);
  const each = other * inFlight + products;
  const left = memory - fixed;
  const most = Math.max(1, Math.floor(Math.min(left, 2 * LARGEST_BLOCK) / each));
  const whole = Math.floor(most / chunk) * chunk;
  const blockSize = Math.min(total, options.blockSize ?? (whole > 0 ? whole : chunk));
  const decoded = Math.max(blockSize, chunk);
  const blocks = Math.ceil(total / blockSize);
  return {
    by,
    blockSize,
    blocks,
    memory: Math.ceil(fixed + decoded * each),
    disk: 8 * p * (l + 2),
    // All columns of a few rows of genotypes are the whole file.
    read: Math.ceil(n * p * layout.bytesEach) * (expanded ? blocks : 1),
    operations: 2 * n * p * l,
  };
}

/** The blocks of a plan, in order. */
export function blockSpans(
  plan: Pick<StreamPlan, "blockSize" | "blocks">,
  total: number,
): BlockSpan[] {
  return Array.from({ length: plan.blocks }, (_, b) => ({
    start: b * plan.blockSize,
    end: Math.min(total, (b + 1) * plan.blockSize),
  }));
}

function megabytes(bytes: number): string {
  return Math.ceil(bytes / 2 ** 20).toLocaleString("en");
}
