import { engineNames } from "@ratewise/core";
import { registerNative } from "@ratewise/native";

/** Names of the engines of this machine: our own kernels, and the system's library where there is one, on one thread, since its rounding depends on their number. */
export async function enginesHere(): Promise<string[]> {
  const { blas } = await registerNative();
  blas?.setThreads(1);
  return engineNames();
}
