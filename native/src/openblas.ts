import type { FloatArray } from "@ratewise/core/compute";

type Real = "f32" | "f64";

/** The OpenBLAS functions that the engine calls, one set a precision. Arguments as in CBLAS and LAPACK. */
interface Routines {
  readonly gemm: (...args: readonly unknown[]) => void;
  readonly syrk: (...args: readonly unknown[]) => void;
  readonly trsm: (...args: readonly unknown[]) => void;
  readonly trmm: (...args: readonly unknown[]) => void;
  readonly symv: (...args: readonly unknown[]) => void;
  readonly potrf: (...args: readonly unknown[]) => void;
}

/** A loaded OpenBLAS. */
export interface OpenBlas {
  /** What the library says of itself: version, options, core type. */
  readonly config: string;
  readonly path: string;
  setThreads(threads: number): void;
  routinesFor(array: FloatArray): Routines;
}

/** The subset of koffi that is used; koffi is optional, so its own types may be missing. */
interface Koffi {
  load(path: string): { func(prototype: string): (...args: readonly unknown[]) => unknown };
}

/** Names under which the systems' package managers install OpenBLAS, in the order tried. */
export function candidatePaths(platform: string): readonly string[] {
  const chosen = process.env.RATEWISE_OPENBLAS;
  if (chosen) return [chosen];
  if (platform === "darwin")
    return [
      "/opt/homebrew/opt/openblas/lib/libopenblas.dylib",
      "/usr/local/opt/openblas/lib/libopenblas.dylib",
    ];
  if (platform === "win32") return ["libopenblas.dll"];
  return ["libopenblas.so.0", "libopenblas.so"];
}

/** Loads the library at `path`; throws what the loader says when it is not there or lacks a function. */
export function loadOpenBlas(koffi: Koffi, path: string): OpenBlas {
  const library = koffi.load(path);
  const routines = (real: Real): Routines => {
    const [letter, type] = real === "f32" ? ["s", "float"] : ["d", "double"];
    const triangular = (name: "trsm" | "trmm") =>
      library.func(
        `void cblas_${letter}${name}(int order, int side, int uplo, int trans, int diag, int m, int n, ${type} alpha, const void *a, int lda, void *b, int ldb)`,
      );
    return {
      gemm: library.func(
        `void cblas_${letter}gemm(int order, int transA, int transB, int m, int n, int k, ${type} alpha, const void *a, int lda, const void *b, int ldb, ${type} beta, void *c, int ldc)`,
      ),
      syrk: library.func(
        `void cblas_${letter}syrk(int order, int uplo, int trans, int n, int k, ${type} alpha, const void *a, int lda, ${type} beta, void *c, int ldc)`,
      ),
      trsm: triangular("trsm"),
      trmm: triangular("trmm"),
      symv: library.func(
        `void cblas_${letter}symv(int order, int uplo, int n, ${type} alpha, const void *a, int lda, const void *x, int incx, ${type} beta, void *y, int incy)`,
      ),
      potrf: library.func(
        `void ${letter}potrf_(const char *uplo, const int *n, void *a, const int *lda, void *info)`,
      ),
    };
  };
  const single = routines("f32");
  const double = routines("f64");
  const setThreads = library.func("void openblas_set_num_threads(int threads)");
  const config = library.func("const char *openblas_get_config()");
  return {
    config: String(config()),
    path,
    setThreads: (threads) => void setThreads(threads),
    routinesFor: (array) => (array instanceof Float32Array ? single : double),
  };
}
