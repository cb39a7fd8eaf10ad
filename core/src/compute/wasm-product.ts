import type { Engine, FloatArray } from "./contract.ts";
import type { KernelCall } from "./kernel-names.ts";
import type { Kernels } from "./kernels.ts";
import { productHere } from "./product-here.ts";
import { splitEvenly, splitTriangle } from "./split.ts";
import { type Placed, precision, type Staging, withStaging } from "./staging.ts";

/** As the kernel's: the steps of k between two updates of C. Pieces of k are multiples of it. */
const DEPTH = 256;
/** The longest side of a block of C, and its largest size in bytes: what is held in kernel memory. */
const SIDE = 8192;
const HELD_BYTES = 64 * 2 ** 20;
/**
 * Operands up to this size are copied whole, larger ones in pieces that stay in the cache; always in pieces
 * when threads share the work, for then the next piece is copied while the other threads multiply.
 */
const WHOLE_BYTES = 32 * 2 ** 20;
const PIECE_BYTES = 4 * 2 ** 20;
/** The kernel's `diagonal` for every entry. */
const WHOLE = 2 ** 31 - 1;
/** Multiply-adds below which copying costs more than the kernel saves. */
const SMALL = 4096;
/** Side of the blocks of a symmetric product. */
const SYMMETRIC_SIDE = 2048;

/** One operand as it is stored: op(A) may be its transpose. */
interface Operand {
  readonly array: FloatArray;
  readonly ld: number;
  readonly transpose: boolean;
}

/** The products of an engine: operands stream through kernel memory in blocks, so any size will do. */
export function wasmProducts(kernels: Kernels): Pick<Engine, "gemm" | "syrk" | "symmetricVector"> {
  return {
    gemm(transposeA, transposeB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc) {
      if (m === 0 || n === 0) return;
      if (m === 1 || n === 1 || m * n * k <= SMALL)
        return productHere(transposeA, transposeB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
      const a = { array: A, ld: lda, transpose: transposeA };
      const b = { array: B, ld: ldb, transpose: transposeB };
      const size = C.BYTES_PER_ELEMENT;
      const width = Math.min(n, SIDE);
      const height = Math.min(m, SIDE, Math.ceil(HELD_BYTES / (width * size)));
      withStaging(kernels.memory, 5, (stageC, ...stages) => {
        for (let j = 0; j < n; j += width) {
          const columns = Math.min(width, n - j);
          for (let i = 0; i < m; i += height) {
            const rows = Math.min(height, m - i);
            const at = i * ldc + j;
            const c =
              beta === 0
                ? stageC.room(C, at, rows, columns, ldc)
                : stageC.fill(C, at, rows, columns, ldc);
            accumulate(kernels, a, i, rows, b, j, columns, k, alpha, beta, c, WHOLE, stages);
            stageC.drain(C, at, rows, columns, ldc);
          }
        }
      });
    },

    syrk(transpose, n, k, alpha, A, lda, beta, C, ldc) {
      const left = { array: A, ld: lda, transpose };
      const right = { array: A, ld: lda, transpose: !transpose };
      const end = precision(C);
      withStaging(kernels.memory, 6, (stageC, stageT, ...stages) => {
        for (let i = 0; i < n; i += SYMMETRIC_SIDE) {
          const rows = Math.min(SYMMETRIC_SIDE, n - i);
          for (let j = 0; j <= i; j += SYMMETRIC_SIDE) {
            const columns = Math.min(SYMMETRIC_SIDE, n - j);
            const at = i * ldc + j;
            const c =
              beta === 0
                ? stageC.room(C, at, rows, columns, ldc)
                : stageC.fill(C, at, rows, columns, ldc);
            const diagonal = i === j ? 0 : WHOLE;
            accumulate(
              ...([kernels, left, i, rows, right, j, columns, k, alpha, beta] as const),
              ...([c, diagonal, stages] as const),
            );
            if (i === j) kernels.exports[`mirror${end}`](rows, c.at, c.row);
            else {
              const t = stageT.room(C, j * ldc + i, columns, rows, ldc);
              kernels.exports[`transpose${end}`](rows, columns, c.at, c.row, t.at, t.row);
              stageT.drain(C, j * ldc + i, columns, rows, ldc);
            }
            stageC.drain(C, at, rows, columns, ldc);
          }
        }
      });
    },

    symmetricVector(n, A, lda, x, y) {
      withStaging(kernels.memory, 3, (stageA, stageX, stageY) => {
        const a = stageA.fill(A, 0, n, n, lda);
        const from = stageX.fill(x, 0, 1, n, n);
        const to = stageY.room(y, 0, 1, n, n);
        kernels.exports[`symmetricVector${precision(A)}`](n, a.at, a.row, from.at, to.at);
        stageY.drain(y, 0, 1, n, n);
      });
    },
  };
}

/** One block of C ← α·op(A)[i…, :]·op(B)[:, j…] + β·C, over pieces of k. `stages`: two for A, two for B. */
function accumulate(
  kernels: Kernels,
  a: Operand,
  i: number,
  rows: number,
  b: Operand,
  j: number,
  columns: number,
  k: number,
  alpha: number,
  beta: number,
  c: Placed,
  diagonal: number,
  stages: readonly Staging[],
): void {
  const size = a.array.BYTES_PER_ELEMENT;
  const owned = ({ array }: Operand) => kernels.memory.owns(array);
  const bytes = (rows + columns) * size;
  // Once and for all: threads that come up in between would read what one alone would overwrite.
  const ahead = kernels.threadsFor(rows * columns * k) > 1;
  const whole = bytes * k <= (ahead ? PIECE_BYTES : WHOLE_BYTES);
  const piece = whole ? k : Math.max(1, Math.floor(PIECE_BYTES / bytes / DEPTH)) * DEPTH;
  const copiedRow = (owned(a) ? 0 : rows * size) + (owned(b) ? 0 : columns * size);
  const placeBoth = (q: number, turn: number) => {
    const depth = Math.min(piece, k - q);
    return {
      placedA: place(a, stages[turn], i, q, rows, depth),
      placedB: place(b, stages[2 + turn], q, j, depth, columns),
    };
  };
  let next = placeBoth(0, 0);
  let turn = 0;
  // At least once, so that k = 0 still scales C.
  for (let q = 0; q === 0 || q < k; q += Math.max(1, piece)) {
    const { placedA, placedB } = next;
    const depth = Math.min(piece, k - q);
    const more = q + piece < k;
    const copyNext = () => {
      next = placeBoth(q + piece, turn);
    };
    if (ahead) turn = 1 - turn;
    multiply(
      ...([kernels, size, rows, columns, depth, alpha, placedA, placedB] as const),
      ...([q === 0 ? beta : 1, c, diagonal, ahead ? undefined : 1] as const),
      ...(more ? [{ copyNext, bytes: copiedRow * Math.min(piece, k - q - piece) }] : []),
    );
  }
}

interface Strided {
  readonly at: number;
  readonly row: number;
  readonly column: number;
}

/** Rows × columns of op(A) from (i, j) on, in kernel memory. */
function place(
  { array, ld, transpose }: Operand,
  stage: Staging,
  i: number,
  j: number,
  rows: number,
  columns: number,
): Strided {
  if (transpose) {
    const { at, row } = stage.fill(array, j * ld + i, columns, rows, ld);
    return { at, row: 1, column: row };
  }
  const { at, row } = stage.fill(array, i * ld + j, rows, columns, ld);
  return { at, row, column: 1 };
}

/**
 * C ← α·A·B + β·C in kernel memory, split over the threads by rows or by columns of C. This thread copies
 * what comes next, so many bytes, before it waits for the others.
 */
export function multiply(
  kernels: Kernels,
  size: number,
  m: number,
  n: number,
  k: number,
  alpha: number,
  a: Strided,
  b: Strided,
  beta: number,
  c: Placed,
  diagonal: number,
  mostParts?: number,
  meanwhile?: { readonly copyNext: () => void; readonly bytes: number },
): void {
  const name = size === 8 ? "gemmF64" : "gemmF32";
  const triangle = diagonal !== WHOLE;
  const work = triangle ? (m * n * k) / 2 : m * n * k;
  const parts = mostParts ?? kernels.threadsFor(work);
  // This thread multiplies less by what it has to copy: all should be done at the same time.
  const weight = work * (size / 4);
  const own = kernels.balance.own(parts, weight, meanwhile?.bytes ?? 0);
  const calls: KernelCall[] = [];
  if (triangle || m >= n) {
    const pieces = triangle ? splitTriangle(m, parts, 4, own) : splitEvenly(m, parts, 4, own);
    for (const [start, end] of pieces) {
      const columns = triangle ? Math.min(n, end + diagonal) : n;
      calls.push([
        ...([name, end - start, columns, k, alpha] as const),
        ...([a.at + start * a.row * size, a.row, a.column, b.at, b.row, b.column] as const),
        ...([beta, c.at + start * c.row * size, c.row] as const),
        ...([triangle ? diagonal + start : WHOLE, kernels.scratch(calls.length)] as const),
      ]);
    }
  } else {
    for (const [start, end] of splitEvenly(n, parts, 16, own))
      calls.push([
        ...([name, m, end - start, k, alpha, a.at, a.row, a.column] as const),
        ...([b.at + start * b.column * size, b.row, b.column] as const),
        ...([beta, c.at + start * size, c.row, WHOLE, kernels.scratch(calls.length)] as const),
      ]);
  }
  if (parts === 1 || !meanwhile) {
    kernels.run(calls, meanwhile?.copyNext);
    return;
  }
  let multiplied = 0;
  let copied = 0;
  const start = performance.now();
  kernels.run(calls, () => {
    multiplied = performance.now();
    meanwhile.copyNext();
    copied = performance.now();
  });
  kernels.balance.learn(weight * own, multiplied - start, meanwhile.bytes, copied - multiplied);
}
