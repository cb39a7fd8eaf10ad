import { engine, type FloatArray } from "../compute/index.ts";
import { type Activation, activationSlope } from "./activation.ts";
import { predictionScale } from "./batch-normalisation.ts";
import { cellsUnder, convolveBack } from "./block-image.ts";
import type { LayerValues } from "./forward.ts";
import type {
  DenseStage,
  Layout,
  MaskedDenseStage,
  PoolStage,
  SkipStage,
  Stage,
} from "./layout.ts";
import { zerosLike } from "./precision.ts";

/**
 * From slopes in the last hidden layer (rows×l) to slopes in the inputs (rows×p), in prediction: nothing
 * dropped, running moments. O(weights) per row; a convolution at every place. `slopes` is overwritten.
 */
export function inputSlopes<Values extends FloatArray>(
  { stages }: Layout,
  theta: Values,
  values: readonly LayerValues<Values>[],
  slopes: Values,
  rows: number,
): Values {
  let back = slopes;
  let beside: Values | null = null;
  for (let at = stages.length - 1; at >= 0; at--) {
    const stage = stages[at];
    if (stage.kind === "skip") {
      ({ back, beside } = skipBack(stage, theta, back, rows));
      continue;
    }
    if ("activation" in stage) multiplySlopes(back, stage.activation, values[at + 1]);
    back = stageBack(stage, theta, back, rows, values[at + 1].largest);
  }
  if (beside) for (let e = 0; e < back.length; e++) back[e] += beside[e];
  return back;
}

/** The slopes (or relevance) of a skip's units go to the layer before it and to the network's inputs. */
export function skipBack<Values extends FloatArray>(
  { inputs, units, columns, from, weights }: SkipStage,
  theta: Values,
  slopes: Values,
  rows: number,
): { readonly back: Values; readonly beside: Values } {
  const back = zerosLike(slopes, rows * inputs);
  const linear = zerosLike(slopes, rows * columns);
  for (let i = 0; i < rows; i++) {
    back.set(slopes.subarray(i * units, i * units + inputs), i * inputs);
    linear.set(slopes.subarray(i * units + inputs, (i + 1) * units), i * columns);
  }
  if (weights < 0) return { back, beside: linear };
  const P = theta.subarray(weights, weights + from * columns);
  const beside = zerosLike(slopes, rows * from);
  engine().gemm(false, true, rows, from, columns, 1, linear, columns, P, columns, 0, beside, from);
  return { back, beside };
}

function multiplySlopes<Values extends FloatArray>(
  slopes: Values,
  activation: Activation,
  { before, output }: LayerValues<Values>,
): void {
  if (activation === "relu") {
    for (let u = 0; u < slopes.length; u++) if (!(before[u] > 0)) slopes[u] = 0;
    return;
  }
  for (let u = 0; u < slopes.length; u++)
    slopes[u] *= activationSlope(activation, before[u], output[u]);
}

/** The transpose of what a stage does to its inputs, before any activation, applied to each row. */
export function stageBack<Values extends FloatArray>(
  stage: Exclude<Stage, SkipStage>,
  theta: Values,
  slopes: Values,
  rows: number,
  largest: Uint32Array | undefined,
): Values {
  switch (stage.kind) {
    case "dropout":
    case "flatten":
      return slopes;
    case "max-pool":
    case "average-pool":
      return poolBack(stage, slopes, rows, largest!);
    case "convolution":
      return convolveBack(stage, theta, slopes, rows);
    case "batch-normalisation": {
      const { factor } = predictionScale(stage, theta);
      const out = zerosLike(slopes, slopes.length);
      for (let u = 0; u < out.length; u++) out[u] = factor[u % stage.channels] * slopes[u];
      return out;
    }
    case "dense":
    case "masked-dense":
      return weighBack(stage, theta, slopes, rows);
  }
  return stage satisfies never;
}

/** dz·Wᵀ. */
function weighBack<Values extends FloatArray>(
  stage: DenseStage | MaskedDenseStage,
  theta: Values,
  slopes: Values,
  rows: number,
): Values {
  const { inputs, units, weights } = stage;
  const out = zerosLike(slopes, rows * inputs);
  if (stage.kind === "dense") {
    const W = theta.subarray(weights, weights + inputs * units);
    engine().gemm(false, true, rows, inputs, units, 1, slopes, units, W, units, 0, out, inputs);
    return out;
  }
  const { from, to } = stage;
  for (let i = 0; i < rows; i++)
    for (let c = 0; c < from.length; c++)
      out[i * inputs + from[c]] += slopes[i * units + to[c]] * theta[weights + c];
  return out;
}

function poolBack<Values extends FloatArray>(
  { window, inputs, units }: PoolStage,
  slopes: Values,
  rows: number,
  largest: Uint32Array,
): Values {
  const out = zerosLike(slopes, rows * inputs);
  if (largest.length > 0) {
    for (let i = 0; i < rows; i++)
      for (let u = 0; u < units; u++)
        out[i * inputs + largest[i * units + u]] += slopes[i * units + u];
    return out;
  }
  const { offsets, columns } = cellsUnder(window);
  for (let i = 0; i < rows; i++)
    for (let u = 0; u < units; u++) {
      const share = slopes[i * units + u] / (offsets[u + 1] - offsets[u]);
      for (let c = offsets[u]; c < offsets[u + 1]; c++) out[i * inputs + columns[c]] += share;
    }
  return out;
}
