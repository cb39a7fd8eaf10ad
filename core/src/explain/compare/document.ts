import type { Exclusion, LearningTask } from "../../data/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { ExplainDocument } from "../document/explain-document.ts";
import type { RunRecord, schemaVersion } from "../document/result.ts";
import type { CompareMethod, MethodEntry } from "./methods.ts";

/** What a random search tried; the scores are shares of squared error explained, one per fold. */
export interface ComparedSearch {
  readonly method: string;
  readonly folds: number;
  readonly best: number;
  readonly candidates: readonly {
    readonly settings: Readonly<Record<string, unknown>>;
    readonly mean: number;
    readonly standardError: number;
    readonly scores: readonly number[];
  }[];
}

/** How one method came to its scores. */
export interface ComparedMethod {
  readonly name: CompareMethod;
  /** What it looks at: the network itself, a mimic of it, or the response alone. */
  readonly of: MethodEntry["of"];
  /**
   * Time taken by the method alone; null where nobody held a clock. The one thing that differs from run to run. Of
   * `gbm` and `tree-shap` the first of the two has the time of the mimic that they share.
   */
  readonly seconds: number | null;
  /** R² of a mimic's predictions of the network on held-out rows, of the group lasso that of variables; null for the others. */
  readonly mimicScore: number | null;
  readonly search: ComparedSearch | null;
}

/** A variable or group by every method; null where a method has no score of it. Rank 1 is best. */
export interface ComparedRow {
  readonly name: string;
  readonly scores: Readonly<Partial<Record<CompareMethod, number | null>>>;
  /** Equal scores share the mean of their ranks; null for all where a method gives all the same score. */
  readonly ranks: Readonly<Partial<Record<CompareMethod, number | null>>>;
  /** Monte Carlo standard errors, of the methods that have them. */
  readonly standardErrors: Readonly<Partial<Record<CompareMethod, number | null>>>;
}

/** The held-out score as the top variables are shuffled. */
export interface ComparedCurve {
  readonly name: CompareMethod | "random";
  /** One a count. */
  readonly scores: readonly number[];
  readonly standardErrors: readonly number[];
  /** Area under the curve, the axis being the share of variables shuffled; lower is better. */
  readonly area: number;
  readonly areaStandardError: number;
}

/** What `ratewise compare` writes as result.json. */
export interface CompareDocument extends RunRecord {
  readonly kind: "compare";
  readonly schema: typeof schemaVersion;
  readonly task: LearningTask;
  readonly target: string;
  readonly model: ExplainDocument["model"];
  /** Of that model; results of 0.1 have none. */
  readonly scores: ExplainDocument["scores"];
  readonly methods: readonly ComparedMethod[];
  readonly variables: readonly ComparedRow[];
  readonly groups: readonly (ComparedRow & { readonly size: number })[];
  /** Rank correlations of the methods' scores of variables, in their order; null where one is constant. */
  readonly spearman: readonly (readonly (number | null)[])[];
  readonly shuffle: {
    readonly metric: "r2" | "accuracy";
    /** The held-out rows whose values are shuffled: rows of the table, the first being 1. */
    readonly rows: readonly number[];
    /** Variables shuffled at each point of the curves. */
    readonly counts: readonly number[];
    readonly repeats: number;
    readonly randomOrders: number;
    /** One a method that ranks anything, then `random`. */
    readonly curves: readonly ComparedCurve[];
  };
  readonly diagnostics: readonly Diagnostic[];
  readonly excluded: readonly Exclusion[];
  readonly version: string;
}
