export type { Engine, FloatArray } from "./contract.ts";
export { engine, registerEngine, useEngine } from "./engine.ts";
export { useThreads } from "./kernels.ts";
