import type { Engine } from "./contract.ts";
import { WHOLE } from "./kernel-product.ts";
import type { Kernels } from "./kernels.ts";
import { productBlock } from "./product-block.ts";
import { productHere } from "./product-here.ts";
import { STAGES } from "./shared-product.ts";
import { precision, type Region, withStaging } from "./staging.ts";

/** The longest side of a block of C, and its largest size in bytes: what is held in kernel memory. */
const SIDE = 8192;
const HELD_BYTES = 64 * 2 ** 20;
/** Multiply-adds below which copying costs more than the kernel saves. */
const SMALL = 4096;
/** Side of the blocks of a symmetric product. */
const SYMMETRIC_SIDE = 2048;

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
      withStaging(kernels.memory, 1 + STAGES, (stageC, ...stages) => {
        for (let j = 0; j < n; j += width) {
          const columns = Math.min(width, n - j);
          for (let i = 0; i < m; i += height) {
            const rows = Math.min(height, m - i);
            const at = i * ldc + j;
            const c =
              beta === 0
                ? stageC.room(C, at, rows, columns, ldc)
                : stageC.fill(C, at, rows, columns, ldc);
            const drain = (region: Region) => stageC.drain(C, at, rows, columns, ldc, region);
            productBlock(
              kernels,
              { a, i, m: rows, b, j, n: columns, k, alpha, beta, c, diagonal: WHOLE },
              stages,
              kernels.memory.owns(C) ? undefined : drain,
            );
          }
        }
      });
    },

    syrk(transpose, n, k, alpha, A, lda, beta, C, ldc) {
      const left = { array: A, ld: lda, transpose };
      const right = { array: A, ld: lda, transpose: !transpose };
      const end = precision(C);
      withStaging(kernels.memory, 2 + STAGES, (stageC, stageT, ...stages) => {
        for (let i = 0; i < n; i += SYMMETRIC_SIDE) {
          const rows = Math.min(SYMMETRIC_SIDE, n - i);
          for (let j = 0; j <= i; j += SYMMETRIC_SIDE) {
            const columns = Math.min(SYMMETRIC_SIDE, n - j);
            const at = i * ldc + j;
            const c =
              beta === 0
                ? stageC.room(C, at, rows, columns, ldc)
                : stageC.fill(C, at, rows, columns, ldc);
            const block = { a: left, i, m: rows, b: right, j, n: columns, k, alpha, beta, c };
            productBlock(kernels, { ...block, diagonal: i === j ? 0 : WHOLE }, stages);
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
