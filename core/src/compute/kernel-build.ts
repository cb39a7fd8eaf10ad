import { enableRelaxedSimd } from "#host";
import { RatewiseError } from "../errors.ts";
import { plain, relaxed } from "./kernels.generated.ts";

/** The two builds of the kernels: they differ in how a multiply-add rounds, and in speed. */
export type KernelBuild = "plain" | "relaxed";

const encoded: Readonly<Record<KernelBuild, string>> = { plain, relaxed };
const modules = new Map<KernelBuild, WebAssembly.Module>();
let relaxedRuns: boolean | undefined;

/** Whether this machine validates relaxed SIMD: the build itself is the probe. */
export function relaxedSimdRuns(): boolean {
  if (relaxedRuns === undefined) {
    const bytes = decode(relaxed);
    relaxedRuns = WebAssembly.validate(bytes);
    if (!relaxedRuns && enableRelaxedSimd()) relaxedRuns = WebAssembly.validate(bytes);
  }
  return relaxedRuns;
}

/** The compiled kernels, once a thread; synchronous, under 20 ms. */
export function kernelModule(build: KernelBuild): WebAssembly.Module {
  let module = modules.get(build);
  if (!module) {
    if (build === "relaxed" && !relaxedSimdRuns())
      throw new RatewiseError(
        "engine",
        'kernelModule: needs relaxed SIMD, which this machine does not have; use the engine "plain"',
      );
    module = new WebAssembly.Module(decode(encoded[build]));
    modules.set(build, module);
  }
  return module;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
