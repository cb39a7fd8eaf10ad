import type { Engine } from "./contract.ts";
import type { KernelCall } from "./kernel-names.ts";
import { multiply } from "./kernel-product.ts";
import type { Kernels } from "./kernels.ts";
import { splitEvenly } from "./split.ts";
import { precision, viewLike, withStaging } from "./staging.ts";

/** Columns factored at a time: the panel is solved, the rest updated by one product. */
const BLOCK = 128;
/** Right-hand sides and rows of U in kernel memory at a time, bytes. */
const STREAM_BYTES = 16 * 2 ** 20;

/** The factorisations of an engine. Triangles lie whole in kernel memory: 4 GB, order 23,000 in double. */
export function wasmFactors(
  kernels: Kernels,
): Pick<Engine, "cholesky" | "solveTriangular" | "leverage"> {
  const { memory, exports } = kernels;
  const strips = exports.stripRows();

  return {
    cholesky(n, A, lda) {
      const end = precision(A);
      const size = A.BYTES_PER_ELEMENT;
      return withStaging(memory, 1, (stage) => {
        const { at, row } = stage.fill(A, 0, n, n, lda);
        const failed = withStrips(kernels, BLOCK * strips * size, (strip) => {
          for (let j = 0; j < n; j += BLOCK) {
            const width = Math.min(BLOCK, n - j);
            const rest = n - j - width;
            const corner = at + (j * row + j) * size;
            const pivot = exports[`cholesky${end}`](
              ...([width, corner, row, strip(0), kernels.scratch(0)] as const),
            );
            if (pivot >= 0) return j + pivot;
            const below = corner + width * row * size;
            const pieces = splitEvenly(
              rest,
              kernels.threadsFor((rest * width * width) / 2),
              strips,
            );
            const solve = pieces.map(
              ([from, to], thread): KernelCall => [
                ...([`solveRows${end}`, to - from, width, corner, row] as const),
                ...([
                  below + from * row * size,
                  row,
                  strip(thread),
                  kernels.scratch(thread),
                ] as const),
              ],
            );
            kernels.run(solve);
            const a = { at: below, row, column: 1 };
            const b = { at: below, row: 1, column: row };
            const c = { at: below + width * size, row };
            const shape = { size, m: rest, n: rest, k: width, diagonal: 0 };
            if (rest > 0) multiply(kernels, { ...shape, alpha: -1, a, b, beta: 1, c });
          }
          return -1;
        });
        const view = viewLike(A, memory, at, n === 0 ? 0 : (n - 1) * row + n);
        for (let i = 0; i < n; i++) view.fill(0, i * row + i + 1, i * row + n);
        stage.drain(A, 0, n, n, lda);
        return failed;
      });
    },

    solveTriangular(transpose, n, m, L, ldl, B, ldb) {
      if (n === 0 || m === 0) return;
      const end = precision(B);
      const size = B.BYTES_PER_ELEMENT;
      const width = Math.min(m, Math.max(64, Math.floor(STREAM_BYTES / (n * size))));
      withStaging(memory, 2, (stageL, stageB) => {
        const l = stageL.fill(L, 0, n, n, ldl);
        for (let j = 0; j < m; j += width) {
          const columns = Math.min(width, m - j);
          const b = stageB.fill(B, j, n, columns, ldb);
          const pieces = splitEvenly(columns, kernels.threadsFor((n * n * columns) / 2), 16);
          const calls = pieces.map(
            ([from, to], thread): KernelCall => [
              ...([`solveTriangular${end}`, transpose ? 1 : 0, n, to - from, l.at, l.row] as const),
              ...([b.at + from * size, b.row, kernels.scratch(thread)] as const),
            ],
          );
          kernels.run(calls);
          stageB.drain(B, j, n, columns, ldb);
        }
      });
    },

    leverage(p, l, U, ldu, L, ldl, out) {
      const end = precision(U);
      const size = U.BYTES_PER_ELEMENT;
      const height = Math.max(strips, Math.floor(STREAM_BYTES / (Math.max(1, l) * size)));
      withStaging(memory, 3, (stageL, stageU, stageOut) => {
        const triangle = stageL.fill(L, 0, l, l, ldl);
        withStrips(kernels, l * strips * size, (strip) => {
          for (let i = 0; i < p; i += height) {
            const rows = Math.min(height, p - i);
            const u = stageU.fill(U, i * ldu, rows, l, ldu);
            const to = stageOut.room(out, i, 1, rows, rows);
            const pieces = splitEvenly(rows, kernels.threadsFor((rows * l * l) / 2), strips);
            const calls = pieces.map(
              ([from, end2], thread): KernelCall => [
                ...([`leverage${end}`, end2 - from, l, u.at + from * u.row * size, u.row] as const),
                ...([triangle.at, triangle.row, to.at + from * size] as const),
                ...([strip(thread), kernels.scratch(thread)] as const),
              ],
            );
            kernels.run(calls);
            stageOut.drain(out, i, 1, rows, rows);
          }
        });
      });
    },
  };
}

/** Runs `work` with a strip of `bytes` for each thread that asks, and gives them back. */
function withStrips<Result>(
  { memory }: Kernels,
  bytes: number,
  work: (strip: (thread: number) => number) => Result,
): Result {
  const strips: number[] = [];
  try {
    return work((thread) => {
      while (strips.length <= thread) strips.push(memory.allocate(bytes));
      return strips[thread];
    });
  } finally {
    for (const at of strips) memory.release(at);
  }
}
