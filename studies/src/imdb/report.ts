import { spearman } from "@ratewise/core/evaluate";
import { topNamesFigure } from "@ratewise/plots";
import type { Ranking } from "../ranking.ts";
import { rateTimes } from "../rate-times.ts";
import { type MimicRanking, settingsText } from "../searched-mimic.ts";
import { type AccuracyCurves, curveNamed } from "../shuffle-curves.ts";
import { pooledError, shuffleTestFigure } from "../shuffle-test.ts";
import {
  atLeast,
  atMost,
  type Finding,
  finding,
  type StudyContext,
  type StudyFigure,
  type StudyReport,
  type StudyTable,
  settledAfterwards,
} from "../study/study.ts";
import type { ChosenSettings } from "./mimics.ts";

/** What the study found. */
export interface ReviewsFound {
  readonly words: readonly string[];
  /** On test reviews. */
  readonly accuracy: number;
  readonly rankings: {
    /** With the mean of each effect, whose sign is its direction. */
    readonly RATE: Ranking & { readonly mean: Float64Array };
    readonly direct: Ranking;
    readonly "GBM mimic": MimicRanking & ChosenSettings;
    readonly "RF mimic": MimicRanking & ChosenSettings;
    readonly "low RF mimic": MimicRanking;
  };
  /** Splits of the low forest's trees at most. */
  readonly depth: number;
  readonly curves: AccuracyCurves;
}

const TOP = 10;

export function reviewsReport(found: ReviewsFound, context: StudyContext): StudyReport {
  const { words, accuracy, rankings, curves } = found;
  const all = Object.entries<Ranking>(rankings);
  return {
    findings: context.quick ? quickFindings(found) : findingsOf(found, context),
    tables: [methodTable(found)],
    figures: figuresOf(found),
    numbers: {
      accuracy,
      searched: {
        boosting: rankings["GBM mimic"].searched,
        forest: rankings["RF mimic"].searched,
      },
      curves,
      pooledError: pooledError(curves),
      words: words.map((word, j) => ({
        ...{ word, effect: rankings.RATE.mean[j] },
        ...Object.fromEntries(all.map(([name, { scores }]) => [name, scores[j]])),
      })),
    },
  };
}

const negativeWords = ({ rankings: { RATE: rate } }: ReviewsFound): number =>
  rate.order.slice(0, TOP).filter((word) => rate.mean[word] < 0).length;

function findingsOf(found: ReviewsFound, context: StudyContext): Finding[] {
  const { accuracy, rankings, curves } = found;
  const { RATE: rate, "GBM mimic": boosting, "RF mimic": forest, "low RF mimic": low } = rankings;
  const area = (name: string): number => curveNamed(curves, name).area;
  const gap =
    (area("RATE") - area("GBM mimic")) / Math.hypot(...Array(2).fill(pooledError(curves)));
  const same = (one: Ranking, other: Ranking): number => spearman(one.scores, other.scores);
  const less = "area of RATE less that of boosting, in pooled standard errors";
  const depth = `low RF mimic (depth ${found.depth})`;
  return [
    finding("accuracy on test reviews", null, accuracy, atLeast(0.855)),
    finding("negative among the ten first words by RATE", "most", negativeWords(found), atLeast(6)),
    settledAfterwards(
      finding("area under RATE's shuffle curve", null, area("RATE"), atMost(0.565)),
    ),
    settledAfterwards(finding(less, null, gap, atMost(2))),
    finding("area under the random shuffle curve", null, area("random")),
    finding("R² of the boosting mimic on test reviews", 0.8, boosting.heldOut),
    finding("R² of the forest mimic on test reviews", 0.4, forest.heldOut),
    finding("words unused by the forest mimic", 918, forest.unused),
    finding(`R² of the ${depth} on test reviews`, 0.4, low.heldOut),
    finding(`words unused by the ${depth}`, 918, low.unused),
    finding("Spearman of RATE and boosting mimic", 0.63, same(rate, boosting)),
    finding("Spearman of RATE and forest mimic", 0.31, same(rate, forest)),
    finding("Spearman of boosting and forest mimic", 0.38, same(boosting, forest)),
    ...rateTimes(
      context,
      {
        ...{ rate: "RATE", before: ["hidden layers", "effect sizes"] },
        ...{ trained: ["read", "prepare", "train"], others: ["boosting mimic", "forest mimic"] },
      },
      5,
    ),
  ];
}

/** What a tenth of the data has to show; permuted labels show none of it. */
function quickFindings(found: ReviewsFound): Finding[] {
  const { accuracy, rankings, curves } = found;
  const { heldOut } = rankings["GBM mimic"];
  const area = (name: string): number => curveNamed(curves, name).area;
  return [
    finding("accuracy on test reviews", null, accuracy, atLeast(0.78)),
    finding("negative among the ten first words by RATE", "most", negativeWords(found), atLeast(4)),
    finding("R² of the boosting mimic on test reviews", 0.8, heldOut, atLeast(0.3)),
    finding("area at random less that of RATE", null, area("random") - area("RATE"), atLeast(0.04)),
  ];
}

function methodTable(found: ReviewsFound): StudyTable {
  const of = (name: string, ranking: Ranking & Partial<MimicRanking>): (string | number)[] => {
    const { area, areaStandardError } = curveNamed(found.curves, name);
    const { heldOut = "–", unused = "–", settings, order } = ranking;
    return [
      ...[name, heldOut, unused, area.toFixed(4), areaStandardError.toFixed(4)],
      Array.from(order.slice(0, TOP), (word) => found.words[word]).join(", "),
      settings ? settingsText(settings) : "–",
    ];
  };
  return {
    title: "Methods beside each other",
    columns: [
      ...["method", "R² on test reviews", "unused words", "area", "its own standard error"],
      ...["first ten words", "settings"],
    ],
    rows: Object.entries<Ranking>(found.rankings).map(([name, ranking]) => of(name, ranking)),
  };
}

function figuresOf(found: ReviewsFound): StudyFigure[] {
  const { words, rankings, curves } = found;
  const panels = Object.entries<Ranking>(rankings).map(([method, { order, scores }]) => ({
    method,
    top: Array.from(order.slice(0, TOP), (word) => ({
      name: words[word],
      share: scores[word],
      direction: rankings.RATE.mean[word] > 0 ? ("up" as const) : ("down" as const),
    })),
  }));
  return [
    {
      name: "words",
      caption:
        "The ten words that each of the five methods ranks first; bars are shares of the method's largest score. Colour and sign tell with which reviews a word goes",
      svg: topNamesFigure(panels, { up: "positive reviews", down: "negative reviews", width: 980 }),
    },
    {
      name: "shuffle-test",
      ...shuffleTestFigure(curves, { shuffled: "words", on: "test reviews" }),
    },
  ];
}
