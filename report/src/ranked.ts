import type { ExplainDocument } from "@ratewise/core/explain";

/** A result with ranked variables, of a model trained here or elsewhere; the latter has no shapes. */
export interface Ranked
  extends Pick<ExplainDocument, "variables" | "groups" | "diagnostics" | "task" | "shapes"> {
  /** Null for a network whose response was not given. */
  readonly target: string | null;
}
