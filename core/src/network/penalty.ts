import { RatewiseError, shapeError } from "../errors.ts";
import type { Layout } from "./layout.ts";

/**
 * The parameters that the input penalty shrinks together: group g holds the first layer's weights
 * `starts[s] … ends[s]`, for s from `offsets[g]` to `offsets[g + 1]` (one stretch an input column).
 */
export interface PenaltyGroups {
  readonly offsets: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * One group an input column, or one for each list of columns in `groups`. A column may be in no
 * group (it is not penalised) but not in two.
 */
export function penaltyGroups(
  layout: Layout,
  groups?: readonly (readonly number[])[],
): PenaltyGroups {
  const stretch = inputStretches(layout);
  const lists = groups ?? Array.from({ length: layout.inputs }, (_, j) => [j]);
  const seen = new Uint8Array(layout.inputs);
  const offsets = [0];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const columns of lists) {
    for (const j of columns) {
      if (!(j >= 0 && j < layout.inputs))
        throw shapeError("penaltyGroups", `columns below ${layout.inputs}`, `${j}`);
      if (seen[j])
        throw new RatewiseError("domain", `penaltyGroups: needs disjoint groups, got ${j} twice`);
      seen[j] = 1;
      starts.push(stretch[j]);
      ends.push(stretch[j + 1]);
    }
    offsets.push(starts.length);
  }
  return {
    offsets: Uint32Array.from(offsets),
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
  };
}

/** Where each input's weights start in the parameters: they are contiguous in both kinds of layer. */
function inputStretches({ inputs, stages }: Layout): Uint32Array {
  const first = stages.find((stage) => stage.kind !== "dropout");
  const starts = new Uint32Array(inputs + 1);
  if (!first) return starts; // no hidden layer: the output layer has a prior instead
  if (first.kind === "dense") return starts.map((_, j) => first.weights + j * first.units);
  for (const j of first.from) starts[j + 1]++;
  for (let j = 0; j < inputs; j++) starts[j + 1] += starts[j];
  return starts.map((start) => first.weights + start);
}

/**
 * The proximal step of λ Σ_g √|g|·‖W_g‖ after a gradient step of length η:
 * W_g ← W_g · max(0, 1 − η·λ·√|g|/‖W_g‖), |g| the number of columns.
 */
export function shrinkInPlace(
  theta: Float64Array,
  { offsets, starts, ends }: PenaltyGroups,
  etaLambda: number,
): void {
  if (etaLambda === 0) return;
  for (let g = 0; g + 1 < offsets.length; g++) {
    let squares = 0;
    for (let s = offsets[g]; s < offsets[g + 1]; s++)
      for (let i = starts[s]; i < ends[s]; i++) squares += theta[i] * theta[i];
    const threshold = etaLambda * Math.sqrt(offsets[g + 1] - offsets[g]);
    const norm = Math.sqrt(squares);
    const keep = norm > threshold ? 1 - threshold / norm : 0;
    for (let s = offsets[g]; s < offsets[g + 1]; s++)
      for (let i = starts[s]; i < ends[s]; i++) theta[i] *= keep;
  }
}
