/**
 * What the host writes into memory before training: sizes, addresses in bytes, constants. The words
 * lie in the order of the fields; `network/program.ts` writes them in the same order.
 */
@unmanaged
export class Program {
  stageCount: i32;
  stages: usize;
  inputs: i32;
  hidden: i32;
  outputs: i32;
  link: i32;
  size: i32;
  /** Parameters, gradient, and Adam's two moments: `size` singles each. */
  theta: usize;
  gradient: usize;
  first: usize;
  second: usize;
  /** All rows; and of each, side by side, the response and what its loss counts. */
  x: usize;
  y: usize;
  batchSize: i32;
  batchX: usize;
  batchY: usize;
  /** What is known of f beforehand, rows×outputs, or 0 for nothing; and a batch of it. */
  offsets: usize;
  batchOffsets: usize;
  /** batchSize×outputs each: draws, f (then its slope), standard deviations. */
  epsilon: usize;
  f: usize;
  sd: usize;
  /** outputs×hidden each: variances and the sums for their slopes. */
  variance: usize;
  varianceSlope: usize;
  /** batchSize×(widest layer) each, in turn dL/doutput and dL/dinput. */
  slopeA: usize;
  slopeB: usize;
  /** For transposes of weights or of batches. */
  transposed: usize;
  transposed2: usize;
  /** Offsets of the output layer in the parameters. */
  mean: i32;
  logSd: i32;
  bias: i32;
  logNoise: i32;
  learnNoise: i32;
  k0: u32;
  k1: u32;
  groupCount: i32;
  groupOffsets: usize;
  groupStarts: usize;
  groupEnds: usize;
  /** Counters: of noise, which go on for ever, and β₁ᵗ, β₂ᵗ since the parameters were loaded. */
  noiseStep: u32;
  decay1: f32;
  decay2: f32;
  learningRate: f32;
  clipNorm: f32;
  priorVariance: f32;
  totalRows: f32;
  penalty: f32;
  /** Of the barrier: threads that wait, and how often all have come. */
  arrived: i32;
  phase: i32;
  /** Where Σ loss × rows is written, a double. */
  lossSum: usize;
}

@unmanaged
export class Stage {
  kind: i32;
  inputs: i32;
  units: i32;
  activation: i32;
  /** Offsets in the parameters. */
  weights: i32;
  bias: i32;
  /** batchSize×units: the output, and what was before it (for dropout, the mask). */
  output: usize;
  before: usize;
  rate: f32;
  connections: i32;
  from: usize;
  to: usize;
  /** The image that comes in, the places of the window on it, and the window. */
  height: i32;
  width: i32;
  channels: i32;
  outHeight: i32;
  outWidth: i32;
  kernelHeight: i32;
  kernelWidth: i32;
  strideY: i32;
  strideX: i32;
  top: i32;
  left: i32;
  /** Of a convolution, a chunk of the batch each: patches of an image, and parts of the gradient. */
  patches: usize;
  patchBytes: i32;
  /** Of a normalisation: channels×4 doubles, mean, 1/sd and two sums. */
  parts: usize;
  partBytes: i32;
  /** Offsets of the running moments in the parameters. */
  mean: i32;
  variance: i32;
}

export const DENSE: i32 = 0;
export const MASKED: i32 = 1;
export const DROPOUT: i32 = 2;
export const FLATTEN: i32 = 3;
export const CONVOLUTION: i32 = 4;
export const MAX_POOL: i32 = 5;
export const AVERAGE_POOL: i32 = 6;
export const NORMALISATION: i32 = 7;

export const RELU: i32 = 0;
export const TANH: i32 = 1;
export const GELU: i32 = 2;
export const SIGMOID: i32 = 3;
export const IDENTITY: i32 = 4;

export const LINK_IDENTITY: i32 = 0;
export const LINK_LOGISTIC: i32 = 1;
export const LINK_SOFTMAX: i32 = 2;
