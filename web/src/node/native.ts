/** A page has no BLAS of its own. */
export async function registerNative(): Promise<{ blas: null; diagnostics: readonly [] }> {
  return { blas: null, diagnostics: [] };
}
