import { registerEngine } from "@ratewise/core/compute";
import { type Diagnostic, diagnostic } from "@ratewise/core/diagnostic";
import { nativeEngine } from "./engine.ts";
import { candidatePaths, loadOpenBlas, type OpenBlas } from "./openblas.ts";

export type { OpenBlas } from "./openblas.ts";

type Broken = Diagnostic<"native-library-broken">;

/** What the search for a native library found. Absent is normal; broken comes with a diagnostic. */
export interface NativeStatus {
  readonly blas: OpenBlas | null;
  readonly diagnostics: readonly Broken[];
}

/**
 * Looks for the system's OpenBLAS and registers it as the engine "native". `RATEWISE_OPENBLAS` may
 * name the library file. Without koffi or without the library nothing is registered and nothing is
 * said; a library that is there but does not work is a diagnostic.
 */
export async function registerNative(): Promise<NativeStatus> {
  const koffi = await import("koffi").then(
    (module) => module.default,
    () => null, // an optional dependency that was not installed
  );
  if (!koffi) return { blas: null, diagnostics: [] };
  const diagnostics: Broken[] = [];
  for (const path of candidatePaths(process.platform)) {
    try {
      const blas = loadOpenBlas(koffi, path);
      registerEngine("native", () => nativeEngine(blas));
      return { blas, diagnostics: [] };
    } catch (error) {
      const reason = (error as Error).message;
      if (isAbsent(reason) && !process.env.RATEWISE_OPENBLAS) continue;
      diagnostics.push(
        diagnostic(
          "native-library-broken",
          `OpenBLAS at ${path} cannot be used (${reason}); the built-in kernels run instead.`,
          { path, reason },
        ),
      );
    }
  }
  return { blas: null, diagnostics };
}

/** Whether the loader says that the file is not there, rather than that it is damaged. */
function isAbsent(reason: string): boolean {
  return /no such file|cannot open shared object|not found|could not be found|image not found/i.test(
    reason,
  );
}
