import { fold, keyFromSeed } from "@ratewise/core";
import { type EstimatePanel, estimatesFigure } from "@ratewise/plots";
import { atLeast, atMost, finding, type Study } from "../study/study.ts";
import { counterExamples } from "./counter-examples.ts";
import { type Estimates, estimateOnce } from "./repeats.ts";
import { STATEMENTS } from "./statements.ts";

const ROWS = 5000;
const CORRELATIONS = [0, 0.999] as const;

const ORDINALS = ["first", "second", "third"] as const;

const BARS =
  "Bars were written with this page, and no record shows that they were there before its first run. Those of the estimates are what theory gives at this size, with room for chance; those of the three statements are what a counter-example has to show: “holds” there means that the paper's statement is refuted.";

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
      covarianceSecond: of(cell, "covariance", 1),
    }));
    const ratio = near.ols.sd / near.covariance.sd;
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
      method: [
        `y = 2x₁ − 2x₂ + ε with ${ROWS.toLocaleString("en")} rows and standard normal columns of correlation 0 or 0.999, ${repeats} data sets of each; least squares beside the covariance of each column with y.`,
        ...STATEMENTS.map(
          ({ place, data }, k) => `Data against the ${ORDINALS[k]} statement (${place}): ${data}`,
        ),
      ],
      bars: BARS,
      answer: [
        steadyText(apart, near, permuted),
        ...STATEMENTS.map(
          ({ quoted, place, refuted, shown }) =>
            `${refuted(examples) ? "Refuted" : "Not refuted here"}: “${quoted}” (${place}). ${shown(examples)}`,
        ),
      ],
      findings: [
        finding("least squares of x₁, ρ = 0", 2, apart.ols.mean, atLeast(1.98)),
        finding("least squares of x₂, ρ = 0", -2, apart.second.mean, atMost(-1.98)),
        finding("covariance of x₁, ρ = 0", 2, apart.covariance.mean, atLeast(1.97)),
        finding("covariance of x₁, ρ = 0.999", 0, near.covariance.mean, atMost(0.02)),
        finding(
          "spread of least squares over that of covariances, ρ = 0.999",
          null,
          ratio,
          atLeast(10),
        ),
        finding(
          "Spearman of covariance and t, columns of one variance",
          1,
          examples.rankingEqual,
          atLeast(1),
        ),
        finding(
          "Spearman of covariance and t, columns of two variances",
          "1, refuted",
          examples.rankingUnequal,
          atMost(0.95),
        ),
        finding(
          "difference of effects of functions that differ by no constant",
          "above 0, refuted",
          examples.effectDifference,
          atMost(1e-12),
        ),
        finding(
          "RATE of the largest effect, alone",
          "large, refuted",
          examples.aloneRate,
          atMost(1e-12),
        ),
      ],
      tables: [],
      figures: [
        {
          name: "estimates",
          caption: `Estimates of the two effects, ${repeats} data sets a panel; lines mark 2 and −2`,
          svg: estimatesFigure(panels, { truths: [2, -2] }),
        },
      ],
      numbers: { correlations: CORRELATIONS, cells, examples },
    };
  },
};

interface CellSpreads {
  readonly ols: Spread;
  readonly second: Spread;
  readonly covariance: Spread;
  readonly covarianceSecond: Spread;
}

/** Twice as far is more than chance makes of 30 data sets. */
const STEADIER = 2;

/** Whether covariances are steadier, from the numbers. */
function steadyText(apart: CellSpreads, near: CellSpreads, permuted: boolean): string {
  if (permuted)
    return `This is a control: responses were permuted, so nothing should be found. With ρ = 0 least squares of x₁ has a mean of ${spreadText(apart.ols)}, of x₂ ${spreadText(apart.second)}; the covariance of x₁ ${spreadText(apart.covariance)}, of x₂ ${spreadText(apart.covarianceSecond)}. Without permuting these are 2 and −2.`;
  const ratio = near.ols.sd / near.covariance.sd;
  const right = ({ mean, sd }: Spread, truth: number): boolean => Math.abs(mean - truth) <= sd;
  const both = [apart.ols, apart.covariance].every((each) => right(each, 2));
  const others = [apart.second, apart.covarianceSecond].every((each) => right(each, -2));
  const found = both && others ? "both find 2 and −2" : "not both find 2 and −2";
  const average = right(near.ols, 2) ? "is still right on average" : "is not right on average";
  const verdict =
    ratio > STEADIER
      ? "Yes, covariances are steadier, because they ask another question."
      : "No, covariances are not steadier.";
  return `${verdict} With ρ = 0 ${found}. With ρ = 0.999 least squares ${average} (${spreadText(near.ols)}) and spreads ${ratio.toFixed(ratio > 10 ? 0 : 1)} times as far as the covariance, whose mean is ${near.covariance.mean.toFixed(3).replace("-", "−")}: x₁ and x₂ together do nothing, and either goes along with what both do. The paper takes 0 for the truth there; that is the truth of the marginal question, not of the coefficients.`;
}

function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

function spreadText({ mean, sd }: Spread): string {
  return `${mean.toFixed(2).replace("-", "−")}, standard deviation ${sd.toFixed(2)}`;
}
