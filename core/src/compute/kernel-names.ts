/** The kernels that threads may be told to run, by their place in this list. */
export const kernelNames = [
  "gemmF32",
  "gemmF64",
  "solveTriangularF32",
  "solveTriangularF64",
  "solveRowsF32",
  "solveRowsF64",
  "leverageF32",
  "leverageF64",
  "genotypeProductF32",
  "genotypeProductF64",
  "histogram",
  "bestSplits",
  "trainBatches",
] as const;

export type KernelName = (typeof kernelNames)[number];

/** One kernel on its arguments, all of them numbers: sizes, strides, addresses in kernel memory. */
export type KernelCall = readonly [name: KernelName, ...args: number[]];

/** Every function that core/kernels/index.ts exports. */
export type KernelExports = Readonly<
  Record<
    | KernelName
    | "binValues"
    | "partition"
    | "packBF32"
    | "packBF64"
    | "mirrorF32"
    | "mirrorF64"
    | "transposeF32"
    | "transposeF64"
    | "choleskyF32"
    | "choleskyF64"
    | "symmetricVectorF32"
    | "symmetricVectorF64"
    | "predictRows",
    (...args: number[]) => number
  > &
    Record<"gemmScratchBytes" | "stripRows", () => number>
>;
