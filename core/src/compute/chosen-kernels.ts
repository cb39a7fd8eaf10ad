import { engine } from "./engine.ts";
import { type KernelBuild, relaxedSimdRuns } from "./kernel-build.ts";
import { type Kernels, loadKernels } from "./kernels.ts";

/** The build of our own kernels that the chosen engine is, or the best one when that engine is not ours: training never runs on native BLAS. */
export function chosenBuild(): KernelBuild {
  const { name } = engine();
  if (name === "plain" || name === "relaxed") return name;
  return relaxedSimdRuns() ? "relaxed" : "plain";
}

export function chosenKernels(): Kernels {
  return loadKernels(chosenBuild());
}
