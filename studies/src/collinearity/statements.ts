import type { CounterExamples } from "./counter-examples.ts";

/** A statement of the paper that does not hold, in its own words, and data that show it. */
export interface RefutedStatement {
  /** Word for word, with the paper's signs. */
  readonly quoted: string;
  /** Where in the paper. */
  readonly place: string;
  /** Whether the data contradict it. */
  readonly refuted: (examples: CounterExamples) => boolean;
  /** What the data show instead. */
  readonly shown: (examples: CounterExamples) => string;
  /** How they are made. */
  readonly data: string;
}

export const STATEMENTS: readonly RefutedStatement[] = [
  {
    quoted:
      "our proposed covariance effect size analogue will result in the same ranking of variable importance as the classical t-test",
    place: "supplement 2",
    refuted: ({ rankingUnequal }) => rankingUnequal < 1,
    shown: ({ rankingEqual, rankingUnequal }) =>
      `That holds only where columns have one variance (Spearman ${rankingEqual.toFixed(3)}; ${rankingUnequal.toFixed(2)} with every other column in units ten times larger).`,
    data: "500 rows of 20 independent standard normal columns, y = Σ (j/20)·x_j + 2ε; every column is then brought to the sample variance 1, or every second one to 0.01 instead.",
  },
  {
    quoted:
      "Two effect size analogues computed via the covariance projection operators, β̃₁ = cov(X, f₁) and β̃₂ = cov(X, f₂), are equivalent if and only if the corresponding functions are related by f₁ = f₂ + c1, where 1 is a vector of ones and c is some arbitrary constant",
    place: "section 4.3, its claim",
    // Equal but for rounding, of functions that differ by no constant.
    refuted: ({ functionDifference, effectDifference }) =>
      functionDifference > 0.1 && effectDifference < 1e-12,
    shown: ({ functionDifference, effectDifference }) =>
      `Two functions whose difference is no constant, but strays up to ${functionDifference.toFixed(2)} from its mean, have the same covariance effects (to ${effectDifference.toExponential(0)}).`,
    data: "40 rows of 2 standard normal columns; f₁ = x₁ + x₂², and f₂ adds 40 normal draws less their mean and their parts along both columns, so that their covariance with either is 0.",
  },
  {
    quoted:
      "if a feature is only marginally associated with an outcome but does not have any significant covarying relationships with other variables in the data, RATE will still identify this feature as being an important predictor",
    place: "section 4.5",
    refuted: ({ aloneRate }) => aloneRate < 1e-12,
    shown: ({ aloneRate }) =>
      `RATE sees the effects alone, and one of mean 10 that goes along with no other has RATE ${aloneRate.toFixed(3)}, below two of mean 1 that go along with each other.`,
    data: "a Gaussian of three effects with the means 10, 1 and 1 and the variances 1.1, 1.1 and 0.74; the second and third have the covariance 0.8, the first none. No rows are drawn.",
  },
];
