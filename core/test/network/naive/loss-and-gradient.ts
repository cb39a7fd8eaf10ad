import type { Batch } from "../../../src/network/dense-head.ts";
import type { Layout } from "../../../src/network/layout.ts";
import { type LossOptions, outputLoss } from "../../../src/network/loss.ts";
import type { StepNoise } from "../../../src/network/noise.ts";
import { type StageTrace, stageBackward, stageForward } from "./stages.ts";

/** The loss of a network of any layers, with its gradient in all parameters: what the training kernel is compared with. */
export function lossAndGradient(
  layout: Layout,
  theta: Float64Array,
  { X, y, rows, offsets, weights }: Batch & { offsets?: Float64Array; weights?: Float64Array },
  options: LossOptions,
  noise: StepNoise,
): {
  loss: number;
  gradient: Float64Array;
  slopes: Float64Array;
  traces: readonly StageTrace[];
} {
  const { stages } = layout;
  const traces: StageTrace[] = [];
  let H = X;
  stages.forEach((stage, at) => {
    traces.push(stageForward(stage, at, theta, H, rows, noise));
    H = traces[at].output;
  });
  const gradient = new Float64Array(layout.size);
  const { loss, slopes: dH } = outputLoss(
    layout,
    theta,
    H,
    y,
    options,
    noise,
    gradient,
    offsets,
    weights,
  );
  let slopes = dH;
  for (let at = stages.length - 1; at >= 0; at--)
    slopes = stageBackward(stages[at], theta, traces[at], rows, slopes, gradient);
  return { loss, gradient, slopes, traces };
}
