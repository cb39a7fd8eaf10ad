import type { Diagnostic } from "../../diagnostic.ts";
import type { Variant } from "../../rate/variant.ts";
import type { ScoreRow } from "../answer/scores.ts";

/** Of the documents below; grows when fields change. 2: explain has calibration, predictions and shapes. */
export const schemaVersion = 2;

/** How a result came to be: enough to make it again. */
export interface RunRecord {
  readonly seed: number;
  /** The engine of the linear algebra. */
  readonly engine: string;
  /** The options that were given. */
  readonly options: Readonly<Record<string, unknown>>;
  /** `sha256:` and the hash of the numbers and names that went in. */
  readonly dataHash: string;
}

export interface VariableRow extends ScoreRow {
  /** μ_j. */
  readonly mean: number;
  /** √Ω_jj, noise included. */
  readonly sd: number;
}

export interface GroupRow extends ScoreRow {
  readonly size: number;
}

/** What `ratewise rank --json` prints. */
export interface RankDocument extends RunRecord {
  readonly kind: "rank";
  readonly schema: typeof schemaVersion;
  readonly variant: Variant;
  /** In input order. */
  readonly variables: readonly VariableRow[];
  /** In the order given; empty when none were. */
  readonly groups: readonly GroupRow[];
  readonly delta: number | null;
  readonly ess: number | null;
  readonly posteriorRank: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Of ratewise. */
  readonly version: string;
}
