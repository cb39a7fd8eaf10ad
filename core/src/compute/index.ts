export type { Engine, FloatArray, Workspace } from "./contract.ts";
export { engine, engineNames, registerEngine, useEngine } from "./engine.ts";
export { useThreads } from "./kernels.ts";
