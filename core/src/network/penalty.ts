import { RatewiseError, shapeError } from "../errors.ts";
import { patchSize } from "./image.ts";
import type { Layout } from "./layout.ts";

/**
 * The parameters that the input penalty shrinks together: group g holds the first layer's weights
 * `starts[s] … ends[s]`, for s from `offsets[g]` to `offsets[g + 1]`: one stretch an input column, or
 * one per cell of the kernel for an input channel of a convolution.
 */
export interface PenaltyGroups {
  readonly offsets: Uint32Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * One group an input column, or one for each list of columns in `groups`. A column may be in no
 * group (it is not penalised) but not in two. Where the first weights are a convolution's, or come after
 * pooling, channels stand in place of columns.
 */
export function penaltyGroups(
  layout: Layout,
  groups?: readonly (readonly number[])[],
): PenaltyGroups {
  const { noun, stretches } = inputStretches(layout);
  const lists = groups ?? stretches.map((_, j) => [j]);
  const seen = new Uint8Array(stretches.length);
  const offsets = [0];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const members of lists) {
    for (const j of members) {
      if (!(j >= 0 && j < stretches.length))
        throw shapeError("penaltyGroups", `${noun} below ${stretches.length}`, `${j}`);
      if (seen[j])
        throw new RatewiseError("domain", {
          in: "penaltyGroups",
          what: `needs disjoint groups, got ${j} twice`,
        });
      seen[j] = 1;
      for (const [start, end] of stretches[j]) {
        starts.push(start);
        ends.push(end);
      }
    }
    offsets.push(starts.length);
  }
  return {
    offsets: Uint32Array.from(offsets),
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
  };
}

type Stretch = readonly [start: number, end: number];

interface InputStretches {
  readonly noun: "columns" | "channels";
  /** Where the weights of each column or channel lie. */
  readonly stretches: readonly (readonly Stretch[])[];
}

function inputStretches({ inputs, stages }: Layout): InputStretches {
  const at = stages.findIndex((stage) => "activation" in stage && stage.kind !== NORMALISATION);
  const first = stages[at];
  const pooled = stages.slice(0, Math.max(at, 0)).find((stage) => "window" in stage);
  const channels = first && "window" in first ? first.window.channels : pooled?.window.channels;
  const members: Stretch[][] = Array.from({ length: channels ?? inputs }, () => []);
  const noun = channels === undefined ? "columns" : "channels";
  const add = (row: number, start: number, end: number) =>
    members[channels === undefined ? row : row % channels].push([start, end]);
  if (first?.kind === "dense" || first?.kind === "convolution") {
    const width = first.kind === "dense" ? first.units : first.filters;
    const rows = first.kind === "dense" ? first.inputs : patchSize(first.window);
    for (let j = 0; j < rows; j++)
      add(j, first.weights + j * width, first.weights + (j + 1) * width);
  } else if (first?.kind === "masked-dense") {
    let c = 0;
    for (let j = 0; j < first.inputs; j++) {
      const start = c;
      while (c < first.from.length && first.from[c] === j) c++;
      add(j, first.weights + start, first.weights + c);
    }
  } else for (let j = 0; j < members.length; j++) add(j, 0, 0); // the output layer has a prior instead
  return { noun, stretches: members };
}

const NORMALISATION = "batch-normalisation";
