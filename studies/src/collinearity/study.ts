import { fold, keyFromSeed } from "@ratewise/core";
import { type EstimatePanel, estimatesFigure } from "@ratewise/plots";
import { mean } from "../mean-with-error.ts";
import { atLeast, atMost, type Finding, finding, type Study } from "../study/study.ts";
import { type CounterExamples, counterExamples } from "./counter-examples.ts";
import { type Estimates, estimateOnce } from "./repeats.ts";

const ROWS = 5000;
const CORRELATIONS = [0, 0.999] as const;

interface Spread {
  readonly mean: number;
  readonly sd: number;
}

/** Sections 4.3 and 4.5, supplement 1 and 2: why effects are projected by covariance, and what that does not say. */
export const collinearity: Study = {
  name: "collinearity",
  title: "Projections when two columns are nearly one",
  question:
    "Are covariance effects steadier than least squares when columns are nearly the same, and do three statements of the paper about them hold?",
  source: "sections 4.3 and 4.5, supplement 1 and 2, Figure S1",
  needs: [],
  async run({ seed, quick, permuted, stage }) {
    const key = keyFromSeed(seed);
    const repeats = quick ? 30 : 100;
    const cells = await stage("repeats", async () =>
      CORRELATIONS.map((correlation) =>
        Array.from({ length: repeats }, (_, r) =>
          estimateOnce({
            key: fold(key, "repeat", `${correlation}`, r),
            rows: ROWS,
            correlation,
            permuted,
          }),
        ),
      ),
    );
    const examples = await stage("counter-examples", async () =>
      counterExamples(fold(key, "examples")),
    );
    const of = (cell: readonly Estimates[], which: keyof Estimates, effect: 0 | 1): Spread =>
      spreadOf(cell.map((estimates) => estimates[which][effect]));
    const [apart, near] = cells.map((cell) => ({
      ols: of(cell, "ols", 0),
      second: of(cell, "ols", 1),
      covariance: of(cell, "covariance", 0),
    }));
    const panels: EstimatePanel[] = CORRELATIONS.flatMap((correlation, c) =>
      (["ols", "covariance"] as const).map((which) => ({
        name: `${which === "ols" ? "least squares" : "covariance"}, ρ = ${correlation}`,
        estimates: ([0, 1] as const).map((effect) => ({
          name: `x${effect + 1}`,
          values: cells[c].map((estimates) => estimates[which][effect]),
        })),
      })),
    );
    return {
      findings: findingsOf(apart, near, examples),
      tables: [],
      figures: [
        {
          name: "estimates",
          caption: `Estimates of the two effects, ${repeats} data sets per panel; lines mark 2 and −2`,
          svg: estimatesFigure(panels, { truths: [2, -2] }),
        },
      ],
      numbers: { correlations: CORRELATIONS, cells, examples },
    };
  },
};

type Spreads = Readonly<Record<"ols" | "second" | "covariance", Spread>>;

function findingsOf(apart: Spreads, near: Spreads, examples: CounterExamples): Finding[] {
  const { rankingEqual, rankingUnequal, effectDifference, aloneRate } = examples;
  const ratio = near.ols.sd / near.covariance.sd;
  const spread = "spread of least squares over that of covariances, ρ = 0.999";
  const ranking = "Spearman of covariance and t, columns of";
  const difference = "difference of effects of functions that differ by no constant";
  const alone = "RATE of the largest effect, alone";
  return [
    finding("least squares of x₁, ρ = 0", 2, apart.ols.mean, atLeast(1.98)),
    finding("least squares of x₂, ρ = 0", -2, apart.second.mean, atMost(-1.98)),
    finding("covariance of x₁, ρ = 0", 2, apart.covariance.mean, atLeast(1.97)),
    finding("covariance of x₁, ρ = 0.999", 0, near.covariance.mean, atMost(0.02)),
    finding(spread, null, ratio, atLeast(10)),
    finding(`${ranking} one variance`, 1, rankingEqual, atLeast(1)),
    finding(`${ranking} two variances`, "1, refuted", rankingUnequal, atMost(0.95)),
    finding(difference, "above 0, refuted", effectDifference, atMost(1e-12)),
    finding(alone, "large, refuted", aloneRate, atMost(1e-12)),
  ];
}

function spreadOf(values: readonly number[]): Spread {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return { mean: middle, sd: Math.sqrt(squares / (values.length - 1)) };
}
