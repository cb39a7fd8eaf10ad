import { fold, keyFromSeed } from "@ratewise/core";
import { pixelMapsFigure, pixelTriangleFigure, shuffleFigure } from "@ratewise/plots";
import { comparedAreas, comparedChoice, comparedText } from "../compared-areas.ts";
import { rateShareChoice, rateShareFindings, rateShareText } from "../rate-share.ts";
import { PAPER_SEARCH, settingsText, wholeSearchMinutes } from "../searched-mimic.ts";
import { curveNamed } from "../shuffle-curves.ts";
import {
  atLeast,
  atMost,
  type Finding,
  finding,
  type Study,
  type StudyContext,
  type StudyFigure,
  type StudyTable,
  settledAfterwards,
} from "../study/study.ts";
import { type Answer, answerQuestion, type Sizes } from "./answer-question.ts";
import { answerText } from "./answer-text.ts";
import { readDigits, SIDE } from "./digits.ts";
import { type DigitQuestion, QUESTIONS } from "./question.ts";

const WHOLE: Sizes = {
  most: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  changes: { penalties: [0], epochs: 6, patience: 2, trainAgain: false },
  saliencyImages: 400,
  steps: 32,
  gradientImages: 200,
  mimicImages: 4000,
  search: { images: 1000, candidates: 5, folds: 2 },
  shuffle: { images: 1500, points: 25, repeats: 2, randomOrders: 10 },
};

const QUICK: Sizes = {
  most: [1500, 800],
  changes: { penalties: [0], epochs: 4, patience: 4, trainAgain: false },
  saliencyImages: 60,
  steps: 8,
  gradientImages: 30,
  mimicImages: 400,
  search: { images: 60, candidates: 1, folds: 2 },
  shuffle: { images: 250, points: 7, repeats: 2, randomOrders: 2 },
};

/** Pixels: eight methods in a row. */
const TRIANGLE = 980;

interface Answered {
  readonly question: DigitQuestion;
  readonly answer: Answer;
}

/** Figures 5 to 8, S2 and S3: which pixels a network of digits goes by. */
export const mnist: Study = {
  name: "mnist",
  title: "Which pixels tell zeros from ones, and evens from odds",
  question:
    "Which of 324 pixels does a convolutional network go by, do the paper's seven methods and RATE of gradients agree, and which ranking would the network itself confirm?",
  source: "section 5.2, Figures 5 to 8, S2 and S3",
  needs: ["mnist"],
  async run(context) {
    const { seed, quick, stage, data } = context;
    const key = keyFromSeed(seed);
    const sizes = quick ? QUICK : WHOLE;
    const digits = await stage("read", () => readDigits(data));
    const answers: Answered[] = [];
    for (const question of QUESTIONS) {
      const own = fold(key, question.name);
      const answer = await answerQuestion(question, digits, sizes, context, own);
      answers.push({ question, answer });
    }
    return {
      method: methodText(sizes, answers, quick),
      limits: limitsText(sizes, answers, context),
      choices: choicesText(answers, quick),
      answer: answers.flatMap(({ question, answer }) =>
        answerText(question, answer, sizes.shuffle),
      ),
      findings: answers.flatMap(({ question, answer }) =>
        quick ? quickFindings(question, answer) : findingsOf(question, answer, context),
      ),
      tables: answers.map(({ question, answer }) => tableOf(question, answer)),
      figures: answers.flatMap(({ question, answer }) =>
        figuresOf(question, answer, sizes.shuffle),
      ),
      numbers: Object.fromEntries(
        answers.map(({ question, answer: { rankings, ranks, forest, boosting, ...rest } }) => [
          question.name,
          {
            ...rest,
            settings: { forest: forest.settings, boosting: boosting.settings },
            scores: Object.fromEntries(
              Object.entries(rankings).map(([name, { scores }]) => [name, [...scores]]),
            ),
          },
        ]),
      ),
    };
  },
};

const count = (value: number): string => value.toLocaleString("en");

function methodText(sizes: Sizes, answers: readonly Answered[], quick: boolean): string[] {
  const { search, shuffle } = sizes;
  const some = quick
    ? `, at most ${count(sizes.most[0])} and ${count(sizes.most[1])} images of them`
    : "";
  const settings =
    search.candidates === 1
      ? "their settings are as they come, no others were tried"
      : `their settings are the best of ${search.candidates} by ${search.folds}-fold cross-validation on ${count(search.images)} images`;
  return [
    `Digits of LeCun, Cortes and Burges, the middle 18×18 of 28×28 pixels, from 0 to 1; MNIST's own halves for training and testing${some}, 30% of the first held back.`,
    `A convolution of 32 filters of 5×5 pixels that moves by one pixel, then 256 and 128 units; at most ${sizes.changes.epochs} epochs of Adam, the best by the loss of held-back images kept, weights averaged over the last steps. (The supplement has "32 filters and stride 5" and no kernel: kernels of five are our reading.)`,
    `RATE of covariance effects on all training images; RATE of gradients at ${sizes.gradientImages} of them; mean absolute gradient, integrated gradient (${sizes.steps} steps from an empty image), gradient × input and ε-LRP of the logit over ${sizes.saliencyImages}.`,
    `Forest and boosting are taught the network's probabilities on ${count(sizes.mimicImages)} training images and ranked by mean decrease in impurity; ${settings}. Their R² is that of the network's probabilities on ${count(sizes.mimicImages)} test images, or on all where there are fewer.`,
    "Pixels of the same importance, as those that a mimic never splits on, are shuffled in the order of reading, row by row from the top left; Spearman's correlation gives them their mean rank.",
    `Areas are under the curve of the accuracy on ${count(shuffle.images)} test images, the axis being the share of pixels shuffled; ${shuffle.points} points, ${shuffle.repeats} shuffles, ${shuffle.randomOrders} random orders.`,
    comparedText(
      Object.fromEntries(
        answers.map(({ question, answer }) => [
          question.title,
          comparedAreas(answer.curves, shuffle),
        ]),
      ),
    ),
    ...(quick
      ? []
      : [
          rateShareText(
            ", the four saliency methods and both mimics, these without the search for their settings",
          ),
        ]),
  ];
}

function limitsText(
  { search, shuffle }: Sizes,
  answers: readonly Answered[],
  { processorSeconds, quick }: StudyContext,
): string[] {
  const sparse = answers.flatMap(({ question, answer }) =>
    (["forest", "boosting"] as const).flatMap((mimic) =>
      answer[mimic].unused > (SIDE * SIDE) / 2 ? [`the ${mimic} mimic of ${question.title}`] : [],
    ),
  );
  const minutes = (method: string): string =>
    QUESTIONS.map(({ name }) =>
      wholeSearchMinutes(processorSeconds[`${name}: ${method} search`], search).toFixed(0),
    ).join(" and ");
  return [
    `What stands after ± is the standard error of a mean of ${shuffle.repeats} shuffles, or ${shuffle.randomOrders} random orders, of the same images in one trained network. It tells how other shuffles would come out, not other images or another training; a method's own, in the tables, is from ${shuffle.repeats} numbers, and a very small one is ${shuffle.repeats} shuffles that happen to agree.`,
    ...(quick
      ? []
      : [
          `The paper's search for settings of the mimics, ${PAPER_SEARCH.candidates} by ${PAPER_SEARCH.folds} folds, was not run: the best of ${search.candidates} may be worse than theirs. By what this search took, theirs would take ${minutes("forest")} minutes of one core for the forests of the two questions and ${minutes("boosting")} for boosting, more on more images.`,
        ]),
    `A mimic ranks only the pixels that it splits on. Where it leaves many out${sparse.length > 0 ? `, as ${sparse.join(" and ")} here` : ""}, the rest of its curve is the order of ties, and its correlations are drawn towards 0.`,
  ];
}

function choicesText(answers: readonly Answered[], quick: boolean): string[] {
  const missed = answers.flatMap(({ question: { title, areas }, answer: { curves } }) => {
    const mean = (name: string): number => meanOf(curveNamed(curves, name).scores);
    return [
      ...(mean("RATE") > areas[0] ? [`RATE's of ${title}`] : []),
      ...(mean("random") < areas[1] ? [`the random one of ${title}`] : []),
    ];
  });
  const otherwise =
    missed.length === 0
      ? "by means over the points the bars of areas would be reached as well"
      : `by means over the points ${missed.length === 1 ? "one bar" : `${missed.length} bars`} would be missed: ${missed.join(", ")}`;
  return [
    `Areas were means over the points of a curve at first, and random orders four: zeros and ones then had 0.898 ± 0.005 at random, and 0.897 ± 0.002 with ten orders, where 0.9 is asked. The area under the curve proper, straight between the points, has been the one definition everywhere since, and random orders are ten${quick ? "" : `; ${otherwise}`}.`,
    comparedChoice,
    "The numbers of images and settings for the mimics were cut after a small run because forests took too long. The network and its training were settled before any result.",
    ...(quick ? [] : [rateShareChoice]),
  ];
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const titled = ({ title }: DigitQuestion): string => `${title[0].toUpperCase()}${title.slice(1)}`;

function findingsOf(question: DigitQuestion, answer: Answer, context: StudyContext): Finding[] {
  const { title, areas, spearman: paper } = question;
  const of = (what: string): string => `${title}: ${what}`;
  const area = (name: string): number => curveNamed(answer.curves, name).area;
  const { seconds, processorSeconds } = context;
  const own = (...stages: readonly string[]): string[] =>
    stages.map((what) => `${question.name}: ${what}`);
  const trained = ["read", ...own("train")];
  const before = own("hidden layer", "effect sizes");
  const minutes = (times: typeof seconds): number =>
    [...trained, ...before, ...own("RATE")].reduce((total, name) => total + times[name], 0) / 60;
  const names = Object.keys(answer.rankings);
  const correlation = (one: string, other: string): number =>
    answer.spearman[names.indexOf(one)][names.indexOf(other)];
  return [
    finding(of("accuracy on test images"), null, answer.accuracy, atLeast(question.accuracy)),
    settledAfterwards(
      finding(of("area under RATE's shuffle curve"), null, area("RATE"), atMost(areas[0])),
    ),
    settledAfterwards(
      finding(of("area under the random shuffle curve"), null, area("random"), atLeast(areas[1])),
    ),
    ...names
      .filter((name) => name !== "RATE")
      .map((name) =>
        finding(of(`Spearman of RATE and ${name}`), paper[name] ?? null, correlation("RATE", name)),
      ),
    finding(
      of("Spearman of integrated gradient and gradient × input"),
      "≥ 0.99",
      correlation("integrated gradient", "gradient × input"),
    ),
    finding(
      of("Spearman of gradient × input and ε-LRP"),
      1,
      correlation("gradient × input", "ε-LRP"),
    ),
    finding(of("R² of the forest mimic on test images"), null, answer.forest.heldOut),
    finding(of("R² of the boosting mimic on test images"), null, answer.boosting.heldOut),
    finding(
      of("minutes of processors to read, train and rank by RATE"),
      null,
      minutes(processorSeconds),
      atMost(10),
    ),
    finding(of("minutes by the clock to read, train and rank by RATE"), null, minutes(seconds)),
    ...rateShareFindings(processorSeconds, {
      ...{ rate: own("RATE")[0], before, trained },
      others: own("forest mimic", "boosting mimic", "saliency"),
    }).map((row) => ({ ...row, what: of(row.what) })),
  ];
}

/** What a small part of the data has to show; permuted labels show none of it. */
function quickFindings({ title, name }: DigitQuestion, answer: Answer): Finding[] {
  const of = (what: string): string => `${title}: ${what}`;
  const area = (method: string): number => curveNamed(answer.curves, method).area;
  const easy = name === "zeros-ones";
  return [
    finding(of("accuracy on test images"), null, answer.accuracy, atLeast(easy ? 0.98 : 0.85)),
    finding(
      of("area at random less that of RATE"),
      null,
      area("random") - area("RATE"),
      atLeast(easy ? 0.05 : 0.03),
    ),
    finding(
      of("R² of the boosting mimic on test images"),
      null,
      answer.boosting.heldOut,
      atLeast(0.3),
    ),
  ];
}

function tableOf(question: DigitQuestion, answer: Answer): StudyTable {
  const { rankings, curves, forest, boosting } = answer;
  const settings: Readonly<Record<string, string>> = {
    "RF mimic": settingsText(forest.settings),
    "GBM mimic": settingsText(boosting.settings),
  };
  return {
    title: `${titled(question)}: methods beside each other`,
    columns: [
      "method",
      "area",
      "its own standard error",
      "pixels without importance",
      "settings found",
    ],
    rows: Object.entries(rankings).map(([name, { scores }]) => [
      name,
      curveNamed(curves, name).area.toFixed(4),
      curveNamed(curves, name).areaStandardError.toFixed(4),
      scores.filter((score) => score === 0).length,
      settings[name] ?? "–",
    ]),
  };
}

function figuresOf(
  { name, title }: DigitQuestion,
  answer: Answer,
  { repeats, randomOrders }: Sizes["shuffle"],
): StudyFigure[] {
  const methods = Object.entries(answer.rankings).map(([method, { scores }]) => ({
    method,
    scores,
  }));
  const { spearman, ranks } = answer;
  return [
    {
      name: `${name}-triangle`,
      caption: `${title}: importance of the pixels on the diagonal (the darker, the more important), their ranks by two methods below it, Spearman's correlation above it`,
      svg: pixelTriangleFigure(methods, { columns: SIDE, spearman, ranks, width: TRIANGLE }),
    },
    {
      name: `${name}-pixels`,
      caption: `${title}: importance of the pixels by every method`,
      svg: pixelMapsFigure(methods, { columns: SIDE }),
    },
    {
      name: `${name}-shuffle-test`,
      caption: `${title}: accuracy on test images as the pixels ranked first are shuffled; the lower, the better the ranking. A panel a method, the other methods in grey, ${randomOrders} random orders dashed; points are means of ${repeats} shuffles, whose spread was kept for the areas alone`,
      svg: shuffleFigure(
        { shuffle: { metric: "accuracy", ...answer.curves } },
        { score: "accuracy on test images" },
      ),
    },
  ];
}
