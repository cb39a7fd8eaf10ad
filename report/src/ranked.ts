import type { EffectShape, ExplainDocument } from "@ratewise/core";

/** A result with ranked variables, of a model trained here or elsewhere. */
export interface Ranked extends Pick<ExplainDocument, "variables" | "groups" | "diagnostics"> {
  /** Null for a network whose response was not given. */
  readonly target: string | null;
}

/** The same with the shapes of effects; a network that was trained elsewhere has no shapes. */
export interface RankedShapes extends Ranked {
  readonly shapes: readonly EffectShape[];
}
