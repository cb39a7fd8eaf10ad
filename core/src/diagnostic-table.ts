/**
 * How much a reader should mind. `serious`: the whole answer may be worthless. `caution`: a part of it may mislead. `note`: what
 * was done, and how to read it. `internal`: about the numbers inside, for those who know the method.
 */
export type Severity = "serious" | "caution" | "note" | "internal";

interface Named {
  readonly count: number;
  readonly names: readonly string[];
}

interface Pairs {
  readonly names: readonly string[];
  readonly for: readonly string[];
  readonly correlations: readonly number[];
}

/**
 * Every warning there is, one entry each: how serious it is, and the type of what it carries (nobody reads the value of
 * `details`). One that is `about` RATE alone has no place where RATE is one method of many. To add a warning, add its entry
 * here and its line in docs/diagnostics.md, then say it with `diagnostic(code, …)`; a test misses whichever is forgotten.
 * Codes are stable.
 */
export const diagnosticTable = {
  // What was read.
  "read-as-percent": { severity: "note", details: {} as { readonly name: string } },
  "numbers-as-categories": { severity: "caution", details: {} as { readonly name: string } },
  "missing-values": { severity: "note", details: {} as { readonly columns: number } },
  "target-missing": { severity: "note", details: {} as { readonly rows: number } },
  "predictors-missing": {
    severity: "note",
    details: {} as { readonly rows: number; readonly columns: number },
  },
  "rows-missing": { severity: "note", details: {} as { readonly rows: number } },
  "samples-absent": { severity: "note", details: {} as { readonly samples: number } },
  "minus-nine-missing": { severity: "note", details: {} },
  "covariates-regressed-out": {
    severity: "note",
    details: {} as {
      readonly names: readonly string[];
      readonly explained: number;
      readonly rows: number;
    },
  },
  "target-taken-as-classes": {
    severity: "caution",
    details: {} as { readonly values: number },
  },
  "target-taken-as-numbers": {
    severity: "caution",
    details: {} as { readonly values: number },
  },
  "rare-levels-pooled": { severity: "note", details: {} as { readonly names: readonly string[] } },
  "constant-in-rows-left": {
    severity: "note",
    details: {} as { readonly names: readonly string[] },
  },
  "weights-missing": { severity: "note", details: {} as { readonly rows: number } },
  "rows-weighted": { severity: "note", details: {} as { readonly rows: number } },

  // The machine.
  "native-library-broken": {
    severity: "note",
    details: {} as { readonly path: string; readonly reason: string },
  },

  // The model.
  "model-predicts-poorly": {
    severity: "serious",
    details: {} as { readonly score: number; readonly baseline: number },
  },
  "class-not-in-training": {
    severity: "serious",
    details: {} as { readonly name: string; readonly rows: number },
  },
  "model-predicts-perfectly": { severity: "serious", details: {} as { readonly score: number } },
  "few-held-out-rows": { severity: "serious", details: {} as { readonly rows: number } },
  "no-better-than-baseline": {
    severity: "serious",
    details: {} as { readonly score: number; readonly baseline: number },
  },
  "target-logarithm": { severity: "note", details: {} as { readonly shift?: number } },
  "rough-effect": {
    severity: "note",
    details: {} as {
      readonly name: string;
      readonly kind: "values" | "bends";
      readonly knots: number;
    },
  },
  "hyperparameters-not-converged": { severity: "caution", details: {} },
  "prior-not-settled": { severity: "caution", details: {} as { readonly priorPrecision: number } },
  "conditional-class-variances": {
    severity: "caution",
    details: {} as { readonly classes: number },
  },
  "contrasts-left-out": { severity: "note", details: {} as { readonly classes: number } },

  // A network that was trained elsewhere.
  "response-is-own-output": { severity: "serious", details: {} as { readonly score: number } },
  "outputs-as-logits": { severity: "caution", details: {} as { readonly outputs: number } },
  "classes-alphabetical": {
    severity: "caution",
    details: {} as { readonly classes: readonly string[] },
  },
  "own-operators": { severity: "note", details: {} },
  "no-derivatives": {
    severity: "note",
    details: {} as { readonly operators: readonly string[] },
  },

  // RATE.
  "posterior-rank": {
    severity: "internal",
    about: "rate",
    details: {} as {
      readonly rank: number;
      readonly variables: number;
      readonly regime: "full-rank" | "rank-deficient";
    },
  },
  "published-rank-correlation": {
    severity: "internal",
    about: "rate",
    details: {} as { readonly spearman: number },
  },
  "strong-but-not-central": { severity: "internal", details: {} as Named },
  "constant-variables": { severity: "note", details: {} as Named },
  "duplicated-variables": {
    severity: "caution",
    details: {} as { readonly count: number; readonly names: readonly (readonly string[])[] },
  },
  "all-zero": { severity: "caution", details: {} },
  "few-draws": {
    severity: "caution",
    details: {} as { readonly draws: number; readonly variables: number },
  },

  // The answer.
  "stand-ins": { severity: "caution", about: "rate", details: {} as Pairs },
  "near-stand-ins": { severity: "caution", about: "rate", details: {} as Pairs },
  "overlooked-by-rate": { severity: "caution", details: {} as Named },
  "opposite-signs": { severity: "caution", details: {} as Named },
  stability: { severity: "note", details: {} as { readonly top: number } },

  // Findings.
  selection: {
    severity: "note",
    details: {} as {
      readonly by: "knockoffs" | "permutation";
      readonly fdr: number;
      readonly selected: number;
      readonly permutations?: number;
      readonly fewest?: number;
      readonly outOfReach?: boolean;
    },
  },
  "selection-out-of-reach": {
    severity: "caution",
    details: {} as {
      readonly fdr: number;
      readonly fewest: number;
      readonly variables?: number;
      readonly groups?: number;
    },
  },
  "copies-near-originals": {
    severity: "caution",
    details: {} as { readonly columns: readonly number[]; readonly names?: readonly string[] },
  },
  "genotype-columns": { severity: "note", details: {} },
  "groups-overlap": { severity: "caution", details: {} },
  "few-causes": { severity: "caution", details: {} },
  "selected-after-training": {
    severity: "caution",
    details: {} as { readonly guaranteed: false },
  },
  "selected-given-network": {
    severity: "note",
    details: {} as { readonly guaranteed: string },
  },

  // Other methods.
  "mimics-poorly": {
    severity: "caution",
    details: {} as { readonly learner: string; readonly heldOut: number },
  },
  "ranks-nothing": { severity: "caution", details: {} },
  "gradient-units": { severity: "caution", details: {} },
  "zero-outside-the-data": { severity: "caution", details: {} as { readonly columns: number } },
} as const;
