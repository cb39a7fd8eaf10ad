import { enableRelaxedSimd } from "#host";
import { RatewiseError } from "../errors.ts";
import { plain, relaxed } from "./kernels.generated.ts";

/** The two builds of the kernels: they differ in how a multiply-add rounds, and in speed. */
export type KernelBuild = "plain" | "relaxed";

const encoded: Readonly<Record<KernelBuild, string>> = { plain, relaxed };
const modules = new Map<KernelBuild, WebAssembly.Module>();
let relaxedRuns: boolean | undefined;

/** A module of one function that uses i8x16.relaxed_swizzle: valid where relaxed SIMD is. */
const probe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0],
  ...[65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11],
);

/** Whether this machine runs relaxed SIMD. */
export function relaxedSimdRuns(): boolean {
  relaxedRuns ??=
    WebAssembly.validate(probe) || (enableRelaxedSimd() && WebAssembly.validate(probe));
  return relaxedRuns;
}

/** The compiled kernels, once a thread; synchronous, under 20 ms. */
export function kernelModule(build: KernelBuild): WebAssembly.Module {
  let module = modules.get(build);
  if (!module) {
    if (build === "relaxed" && !relaxedSimdRuns())
      throw new RatewiseError("engine", {
        in: "kernelModule",
        what: "needs relaxed SIMD, which this machine does not have",
        advice: 'use the engine "plain"',
      });
    module = new WebAssembly.Module(decode(encoded[build]));
    modules.set(build, module);
  }
  return module;
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
