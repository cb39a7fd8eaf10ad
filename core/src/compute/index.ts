export type { Engine, FloatArray, Workspace } from "./contract.ts";
export { engine, engineNames, registerEngine, useEngine, withEngine } from "./engine.ts";
export { type GenotypeBlock, type GenotypeProduct, multiplyGenotypes } from "./genotype.ts";
export { useThreads } from "./kernels.ts";
