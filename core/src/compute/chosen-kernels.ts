import { engine } from "./engine.ts";
import { relaxedSimdRuns } from "./kernel-build.ts";
import { type Kernels, loadKernels } from "./kernels.ts";

/** The build of the chosen engine, or the best one when that engine is not ours. */
export function chosenKernels(): Kernels {
  const { name } = engine();
  if (name === "plain" || name === "relaxed") return loadKernels(name);
  return loadKernels(relaxedSimdRuns() ? "relaxed" : "plain");
}
