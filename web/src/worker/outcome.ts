import type { Model, RankingBasis } from "@ratewise/core";
import type { Position } from "@ratewise/core/data";
import type { CompareDocument } from "@ratewise/core/explain";
import type { ResultDocument } from "../protocol.ts";

/** Everything that is known after a run, as plain data: what the views show and what a session file holds. */
export interface Outcome {
  readonly document: ResultDocument;
  readonly comparison: CompareDocument | null;
  /** null for a network that was trained elsewhere, and for a result.json by itself. */
  readonly model: Model | null;
  readonly ranking: RankingBasis | null;
  /** Where the variables lie, by name: genotypes. */
  readonly places: readonly (readonly [string, Position])[];
  /** Texts of files that are written only while the data are at hand, by name. */
  readonly beside: ReadonlyMap<string, string>;
}
