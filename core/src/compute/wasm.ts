import { Arena } from "./arena.ts";
import type { Engine } from "./contract.ts";
import type { KernelBuild } from "./kernel-build.ts";
import { loadKernels } from "./kernels.ts";
import { wasmFactors } from "./wasm-factor.ts";
import { wasmProducts } from "./wasm-product.ts";

/**
 * The engine on one build of our own kernels. Arrays are copied into kernel memory piece by piece and
 * results out of it, except those of an Arena, which lie there.
 */
export function wasmEngine(build: KernelBuild): Engine {
  const kernels = loadKernels(build);
  return {
    name: build,
    ...wasmProducts(kernels),
    ...wasmFactors(kernels),
    workspace: () => new Arena(kernels.memory),
  };
}
