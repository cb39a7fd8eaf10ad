import { spearman } from "@ratewise/core/evaluate";
import { shuffleFigure, topNamesFigure } from "@ratewise/plots";
import {
  areaText,
  type ComparedArea,
  comparedAreas,
  comparedChoice,
  comparedText,
  fallsBeside,
} from "../compared-areas.ts";
import type { Ranking } from "../ranking.ts";
import { rateShareChoice, rateShareFindings, rateShareText } from "../rate-share.ts";
import {
  type MimicRanking,
  PAPER_SEARCH,
  type SearchSize,
  settingsText,
  wholeSearchMinutes,
} from "../searched-mimic.ts";
import { type AccuracyCurves, curveNamed } from "../shuffle-curves.ts";
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

/** What the study found, before it is told. */
export interface ReviewsFound {
  readonly words: readonly string[];
  readonly rows: { readonly train: number; readonly test: number; readonly forest: number };
  readonly search: SearchSize & { readonly reviews: number };
  readonly gradientRows: number;
  /** Input penalties that were tried. */
  readonly penalties: readonly number[];
  readonly shuffle: { readonly reviews: number; readonly repeats: number };
  /** On test reviews. */
  readonly accuracy: number;
  readonly rate: Ranking & { readonly mean: Float64Array };
  readonly direct: Ranking;
  readonly boosting: MimicRanking & ChosenSettings;
  readonly forest: MimicRanking & ChosenSettings;
  readonly low: MimicRanking & { readonly depth: number };
  readonly curves: AccuracyCurves;
}

const TOP = 10;

export function reviewsReport(found: ReviewsFound, context: StudyContext): StudyReport {
  const { words, accuracy, rate, boosting, forest, curves } = found;
  return {
    answer: answerText(found),
    method: methodText(found, context),
    limits: limitsText(found, context),
    choices: choicesText(found, context),
    findings: context.quick ? quickFindings(found) : findingsOf(found, context),
    tables: [methodTable(found)],
    figures: figuresOf(found),
    numbers: {
      accuracy,
      searched: { boosting: boosting.searched, forest: forest.searched },
      curves,
      words: words.map((word, j) => ({
        word,
        effect: rate.mean[j],
        ...Object.fromEntries(
          Object.entries(rankingsOf(found)).map(([name, { scores }]) => [name, scores[j]]),
        ),
      })),
    },
  };
}

function rankingsOf({ rate, direct, boosting, forest, low }: ReviewsFound) {
  return {
    RATE: rate,
    direct,
    "GBM mimic": boosting,
    "RF mimic": forest,
    "low RF mimic": low,
  } satisfies Record<string, Ranking>;
}

const wordsOf = ({ words }: ReviewsFound, { order }: Ranking): string =>
  Array.from(order.slice(0, TOP), (word) => words[word]).join(", ");

const negativeWords = ({ rate }: ReviewsFound): number =>
  rate.order.slice(0, TOP).filter((word) => rate.mean[word] < 0).length;

const count = (value: number): string => value.toLocaleString("en");
const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;

/** The shuffle test's areas by method: six random orders where there are three shuffles. */
const areasOf = ({ curves, shuffle: { repeats } }: ReviewsFound) => {
  const areas = comparedAreas(curves, { repeats, randomOrders: 2 * repeats });
  return (name: string): ComparedArea => areas.get(name)!;
};

const correlation = (one: Ranking, other: Ranking): string =>
  spearman(one.scores, other.scores).toFixed(2).replace("-", "−");

function answerText(found: ReviewsFound): string[] {
  const { accuracy, rate, boosting, forest, low } = found;
  const area = areasOf(found);
  const [falls, told] = [
    (other: string): string => fallsBeside(area("RATE"), area(other)),
    (name: string): string => areaText(area(name)),
  ];
  const negative = negativeWords(found);
  return [
    `The network is right on ${(100 * accuracy).toFixed(1)}% of test reviews.`,
    `First by RATE are ${wordsOf(found, rate)}; ${negative} of the ten go with negative reviews${negative > TOP / 2 ? ", as the paper found" : ""}.`,
    `Do mimics agree? Spearman's correlation of RATE is ${correlation(rate, boosting)} with boosting and ${correlation(rate, forest)} with the forest, that of the two ${correlation(boosting, forest)} (0.63, 0.31 and 0.38 in the paper).`,
    `Would the network confirm it? As the words that RATE ranks first are shuffled, its accuracy falls ${falls("GBM mimic")} for those of the boosting mimic, ${falls("RF mimic")} for those of the forest, and ${falls("random")} for words at random (areas under the curves ± their standard errors over shuffles, those of rankings pooled: ${told("RATE")}; ${told("GBM mimic")}, ${told("RF mimic")}, ${told("random")}).`,
    `The paper's forest left 918 of 1,000 words unused; ours leaves ${count(forest.unused)}, and one whose trees are at most ${low.depth} splits deep, the low RF mimic, ${count(low.unused)}. ${low.unused > 2 * forest.unused ? "So that looks like a matter of depth, not of forests. " : ""}The boosting mimic repeats ${percent(boosting.heldOut)} of the variance of the network's probabilities on test reviews, the forest ${percent(forest.heldOut)}.`,
  ];
}

function methodText(found: ReviewsFound, { quick }: StudyContext): string[] {
  const { rows, search, shuffle, gradientRows, penalties } = found;
  const penalty = penalties.length === 1 ? `of ${penalties[0]}` : "chosen on held-back reviews";
  const { repeats } = shuffle;
  return [
    `${count(rows.train + rows.test)} reviews of Maas and others (2011), the words ranked 21 to 1,020 by their counts, as TF-IDF ((1 + log count)·log(1 + n/(1 + reviews with the word)), over the standard deviation, zeros kept); 70% to train, 30% to test.`,
    `A network of three layers of 128 units with an input penalty ${penalty}. (The supplement says that reviews had the convolutional network of the images; words in a list have no neighbours, so the main text's network is taken.)`,
    "Inputs stay sparse in everything but the batches of training: covariances, mimics, the first layer's sums and the shuffle test.",
    `RATE of covariance effects on training reviews. Direct is here the mean over ${count(gradientRows)} of them of (∂f/∂x_j)², f being the network's logit at the mean weights. It is not RATE of gradients, which is what \`ratewise explain\` and the page of the simulation call direct.`,
    `Boosting (on all training reviews) and forests (on ${count(rows.forest)}) are taught the network's probabilities and ranked by mean decrease in impurity. Their settings are the best of ${search.candidates} each by ${search.folds}-fold cross-validation on ${count(search.reviews)} reviews. The low RF mimic is one more forest on the same ${count(rows.forest)} reviews, its trees at most ${found.low.depth} splits deep and no setting searched. R² is that of the network's probabilities on the ${count(rows.test)} test reviews.`,
    "Words of the same importance, as those that a mimic never splits on, are shuffled the commonest first; Spearman's correlation gives them their mean rank.",
    `Areas are under the curve of the accuracy on ${count(shuffle.reviews)} test reviews, the axis being the share of words shuffled; ${repeats} shuffles, ${2 * repeats} random orders.`,
    comparedText({ "": comparedAreas(found.curves, { repeats, randomOrders: 2 * repeats }) }),
    ...(quick ? [] : [rateShareText(" and both mimics, without the search for their settings")]),
  ];
}

function limitsText(
  { search, shuffle }: ReviewsFound,
  { processorSeconds, quick }: StudyContext,
): string[] {
  const minutes = (method: string): string =>
    wholeSearchMinutes(processorSeconds[`${method} search`], search).toFixed(0);
  return [
    `What stands after ± is the standard error of a mean of ${shuffle.repeats} shuffles, or ${2 * shuffle.repeats} random orders, of the same reviews in one trained network. It tells how other shuffles would come out, not other reviews or another training; a method's own, in the table, is from ${shuffle.repeats} numbers.`,
    ...(quick
      ? []
      : [
          `The paper's search for settings of the mimics, ${PAPER_SEARCH.candidates} by ${PAPER_SEARCH.folds} folds, was not run: the best of ${search.candidates} may be worse than theirs. By what this search took, theirs would take ${minutes("boosting")} minutes of one core for boosting and ${minutes("forest")} for forests, more on more reviews and where trees are grown to single ones.`,
        ]),
    "A mimic ranks only the words that it splits on. Where it leaves many out, the rest of its curve is the order of ties, the commonest words first.",
  ];
}

/** What is asked of RATE's area. */
const AREA = 0.565;

function choicesText({ curves }: ReviewsFound, { quick }: StudyContext): string[] {
  const { scores } = curveNamed(curves, "RATE");
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return [
    "Accuracies on test reviews of 0.867 and 0.865 had been seen when the penalties to try, 1 and 3, were settled; between them the loss on held-back reviews chooses, and no test review.",
    "The forest of few splits was added after the first forest had left far fewer words unused than the paper's.",
    "Forests were first grown from more words a split; they took most of the study's time and their number of words was cut. Mimics had no search at first, and repeated 89% (boosting) and 67% (forest) of the variance then; the settings that both had are the first candidates of the search (the forest now learns from fewer reviews).",
    `Areas were means over the points of a curve at first; the area under the curve proper, straight between the points, came after results of the digits had been seen.${quick ? "" : ` By means over the points RATE's would be ${mean.toFixed(3)}, and its bar of ${AREA} would be ${mean <= AREA ? "reached" : "missed"}.`}`,
    `${comparedChoice} The bar between RATE and boosting is two standard errors as before, of the pooled one now.`,
    ...(quick ? [] : [rateShareChoice]),
  ];
}

function findingsOf(found: ReviewsFound, { seconds, processorSeconds }: StudyContext): Finding[] {
  const { accuracy, rate, boosting, forest, low } = found;
  const area = areasOf(found);
  const gap = area("RATE").area - area("GBM mimic").area;
  const error = Math.hypot(area("RATE").error, area("GBM mimic").error);
  const trained = ["read", "prepare", "train"];
  const before = ["hidden layers", "effect sizes"];
  const minutes = (times: typeof seconds): number =>
    [...trained, ...before, "RATE"].reduce((total, name) => total + times[name], 0) / 60;
  return [
    finding("accuracy on test reviews", null, accuracy, atLeast(0.855)),
    finding("negative among the ten first words by RATE", "most", negativeWords(found), atLeast(6)),
    settledAfterwards(
      finding("area under RATE's shuffle curve", null, area("RATE").area, atMost(AREA)),
    ),
    settledAfterwards(
      finding(
        "area of RATE less that of boosting, in pooled standard errors",
        null,
        gap / error,
        atMost(2),
      ),
    ),
    finding("area under the random shuffle curve", null, area("random").area),
    finding("R² of the boosting mimic on test reviews", 0.8, boosting.heldOut),
    finding("R² of the forest mimic on test reviews", 0.4, forest.heldOut),
    finding("words unused by the forest mimic", 918, forest.unused),
    finding(`R² of the low RF mimic (depth ${low.depth}) on test reviews`, 0.4, low.heldOut),
    finding(`words unused by the low RF mimic (depth ${low.depth})`, 918, low.unused),
    finding("Spearman of RATE and boosting mimic", 0.63, spearman(rate.scores, boosting.scores)),
    finding("Spearman of RATE and forest mimic", 0.31, spearman(rate.scores, forest.scores)),
    finding(
      "Spearman of boosting and forest mimic",
      0.38,
      spearman(boosting.scores, forest.scores),
    ),
    finding(
      "minutes of processors to read, train and rank by RATE",
      null,
      minutes(processorSeconds),
      atMost(5),
    ),
    finding("minutes by the clock to read, train and rank by RATE", null, minutes(seconds)),
    ...rateShareFindings(processorSeconds, {
      ...{ rate: "RATE", before, trained },
      others: ["boosting mimic", "forest mimic"],
    }),
  ];
}

/** What a tenth of the data has to show; permuted labels show none of it. */
function quickFindings(found: ReviewsFound): Finding[] {
  const { accuracy, boosting, curves } = found;
  const area = (name: string): number => curveNamed(curves, name).area;
  return [
    finding("accuracy on test reviews", null, accuracy, atLeast(0.78)),
    finding("negative among the ten first words by RATE", "most", negativeWords(found), atLeast(4)),
    finding("R² of the boosting mimic on test reviews", 0.8, boosting.heldOut, atLeast(0.3)),
    finding("area at random less that of RATE", null, area("random") - area("RATE"), atLeast(0.04)),
  ];
}

function methodTable(found: ReviewsFound): StudyTable {
  const of = (name: string, ranking: Ranking & Partial<MimicRanking>): (string | number)[] => {
    const { area, areaStandardError } = curveNamed(found.curves, name);
    const { heldOut = "–", unused = "–", settings } = ranking;
    return [
      ...[name, heldOut, unused, area.toFixed(4), areaStandardError.toFixed(4)],
      wordsOf(found, ranking),
      settings ? settingsText(settings) : "–",
    ];
  };
  return {
    title: "Methods beside each other",
    columns: [
      ...["method", "R² on test reviews", "unused words", "area", "its own standard error"],
      ...["first ten words", "settings"],
    ],
    rows: Object.entries(rankingsOf(found)).map(([name, ranking]) => of(name, ranking)),
  };
}

function figuresOf(found: ReviewsFound): StudyFigure[] {
  const { words, rate, curves, shuffle } = found;
  const rankings = rankingsOf(found);
  return [
    {
      name: "words",
      caption:
        "The ten words that each of the five methods ranks first; bars are shares of the method's largest score. Colour and sign tell with which reviews a word goes",
      svg: topNamesFigure(
        Object.entries<Ranking>(rankings).map(([method, { order, scores }]) => ({
          method,
          top: Array.from(order.slice(0, TOP), (word) => ({
            name: words[word],
            share: scores[word],
            direction: rate.mean[word] > 0 ? ("up" as const) : ("down" as const),
          })),
        })),
        { up: "positive reviews", down: "negative reviews", width: 980 },
      ),
    },
    {
      name: "shuffle-test",
      caption: `Accuracy on test reviews as the words ranked first are shuffled; the lower, the better the ranking. A panel a method, the other methods in grey, ${2 * shuffle.repeats} random orders dashed; points are means of ${shuffle.repeats} shuffles, whose spread was kept for the areas alone`,
      svg: shuffleFigure(
        { shuffle: { metric: "accuracy", ...curves } },
        { score: "accuracy on test reviews" },
      ),
    },
  ];
}
