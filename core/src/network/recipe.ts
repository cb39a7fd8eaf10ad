import { refuseUnknown, refuseUnlisted } from "../errors.ts";
import { type Initial, initials } from "./initialise.ts";

/** Everything that decides how a network is trained, with a value for each. */
export interface Recipe {
  /** The most epochs for each penalty of the path. */
  readonly epochs: number;
  readonly batchSize: number;
  /**
   * Steps between two looks at the rows held back: with few rows the batches are halved until an epoch has them, down to 16
   * rows, and then several epochs count as one.
   */
  readonly leastSteps: number;
  readonly learningRate: number;
  /** Epochs without a better score before training stops. */
  readonly patience: number;
  /** Where an epoch has many steps, as many epochs as hold this many will do for patience, but 3 at least. */
  readonly patientSteps: number;
  /** What `patience` watches: the held-back rows' score or the training loss. */
  readonly monitor: "validation" | "training";
  /** Which weights are returned: those of the last epoch or of the best score. */
  readonly keep: "last" | "best";
  /**
   * Steps over which weights are averaged, with exponentially fading memory, before they are scored and
   * returned; 0: the weights themselves. The noise of single steps is in every weight, and the average
   * loses most of it (Polyak and Juditsky 1992).
   */
  readonly averagedSteps: number;
  /** Share of the rows held back for validation. */
  readonly validationFraction: number;
  /** λ of the input penalty, each started from the one before; the best validation score wins. */
  readonly penalties: readonly number[];
  /** Whether the chosen penalty's training is done over with all rows, those held back too; not in an ensemble. */
  readonly trainAgain: boolean;
  /** The gradient's Euclidean norm is cut to this. */
  readonly clipNorm: number;
  /** σ_p² of the prior of the output weights. */
  readonly priorVariance: number;
  /** τ² of the identity link, in units of the response's variance. */
  readonly noiseVariance: "learned" | number;
  /** Whether the output layer's variances end where the bound is largest, or where the steps left them. */
  readonly settle: boolean;
  /** Where the hidden weights start. */
  readonly initial: Initial;
  /**
   * Whether f has a linear part beside the hidden units, f(x) = xᵀβ + h(x)ᵀθ + b: ridge or logistic regression, of which
   * the hidden units learn what it leaves. They stay only if held-back rows are predicted better with them.
   */
  readonly linear: boolean;
  /** With at most this many rows, the rows are held back in {@link folds} parts in turn and not once. */
  readonly foldedRows: number;
  readonly folds: number;
}

/** The paper's training: stops after two epochs without progress and keeps what it then has. */
export const PAPER: Recipe = {
  epochs: 50,
  batchSize: 128,
  leastSteps: 1,
  learningRate: 1e-3,
  patience: 2,
  patientSteps: Number.POSITIVE_INFINITY,
  monitor: "validation",
  keep: "last",
  averagedSteps: 0,
  validationFraction: 0.3,
  penalties: [0],
  trainAgain: false,
  clipNorm: Number.POSITIVE_INFINITY,
  priorVariance: 1,
  // −log p is then the squared error, which the paper minimises.
  noiseVariance: 0.5,
  settle: false,
  initial: "glorot",
  linear: false,
  foldedRows: 0,
  folds: 5,
};

/** For people's own data: irrelevant inputs are shrunk away, as far as held-back rows like it. */
export const STANDARD: Recipe = {
  ...PAPER,
  epochs: 100,
  patience: 12,
  patientSteps: 1500,
  keep: "best",
  averagedSteps: 150,
  penalties: [0, 0.25, 0.5, 1, 1.5, 2, 3, 4],
  trainAgain: true,
  noiseVariance: "learned",
  leastSteps: 20,
  settle: true,
  linear: true,
  foldedRows: 600,
};

export const recipeNames = ["standard", "paper"] as const;
export type RecipeName = (typeof recipeNames)[number];

const known = Object.fromEntries(Object.keys(PAPER).map((name) => [name, true as const]));
const listed = {
  monitor: ["validation", "training"],
  keep: ["last", "best"],
  initial: initials,
} as const satisfies Partial<{ [Name in keyof Recipe]: readonly Recipe[Name][] }>;

/** Refuses values for a recipe that it does not have. */
export function checkChanges(where: string, changes: Partial<Recipe>): void {
  refuseUnknown(where, changes, known);
  for (const [name, list] of Object.entries(listed))
    refuseUnlisted(where, name, list, changes[name as keyof Recipe]);
}

/** The named recipe, with the given values in place of its own. */
export function recipe(name: RecipeName, changes: Partial<Recipe> = {}): Recipe {
  return { ...recipeOf(name), ...changes };
}

function recipeOf(name: RecipeName): Recipe {
  switch (name) {
    case "standard":
      return STANDARD;
    case "paper":
      return PAPER;
  }
  return name satisfies never;
}
