import type { Mix } from "./mix.ts";
import type { TrainedNetwork, TrainingTask } from "./train-network.ts";
import type { ModelForm } from "./tried.ts";

/** A model that may be taken. */
export interface Candidate extends Mix {
  readonly form: ModelForm;
  /** Null where the linear part is all there is. */
  readonly network: TrainedNetwork | null;
  /** Its f at every row held back, split after split: of a blend with the shares that the other half of the rows finds best. */
  readonly heldBack: Float64Array;
  /** Its loss on each of them. */
  readonly losses: Float64Array;
}

/** f at some rows, from what the split's training rows taught; rows×outputs. */
export function outputsOf(
  { linear: known }: Pick<TrainingTask, "linear">,
  { form, network, linear, hidden }: Pick<Candidate, "form" | "network" | keyof Mix>,
  split: number,
  rows: Uint32Array,
): Float64Array {
  if (!network) return known!.outputsOf(split, rows);
  const f = Float64Array.from(network.outputsOf(split, rows));
  if (form !== "blend") return f;
  const own = known!.outputsOf(split, rows);
  return f.map((value, e) => linear * own[e] + hidden * value);
}
