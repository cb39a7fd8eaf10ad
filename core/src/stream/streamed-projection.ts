import type { Projected } from "../effects/index.ts";

/** A projection, and what the pass over X saw of its columns besides. */
export interface StreamedProjection extends Projected {
  /** Mean of every column; of genotypes twice the frequency of A1 among those observed, NaN where none is. */
  readonly columnMeans: Float64Array;
}
