import { fold, keyFromSeed } from "@ratewise/core";
import { pixelMapsFigure, pixelTriangleFigure } from "@ratewise/plots";
import { mapRecord } from "../map-record.ts";
import { rateTimes } from "../rate-times.ts";
import { settingsText } from "../searched-mimic.ts";
import { curveNamed } from "../shuffle-curves.ts";
import { pooledError, shuffleTestFigure } from "../shuffle-test.ts";
import {
  atLeast,
  atMost,
  type Bar,
  type Finding,
  finding,
  type Study,
  type StudyContext,
  type StudyFigure,
  type StudyTable,
  settledAfterwards,
} from "../study/study.ts";
import { type Answer, answerQuestion, type Sizes } from "./answer-question.ts";
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
      findings: answers.flatMap(({ question, answer }) =>
        quick ? quickFindings(question, answer) : findingsOf(question, answer, context),
      ),
      tables: answers.map(({ question, answer }) => tableOf(question, answer)),
      figures: answers.flatMap(({ question, answer }) => figuresOf(question, answer)),
      numbers: Object.fromEntries(
        answers.map(({ question, answer: { rankings, ranks, forest, boosting, ...rest } }) => [
          question.name,
          {
            ...{ ...rest, pooledError: pooledError(rest.curves) },
            settings: { forest: forest.settings, boosting: boosting.settings },
            scores: mapRecord(rankings, ({ scores }) => [...scores]),
          },
        ]),
      ),
    };
  },
};

function findingsOf(question: DigitQuestion, answer: Answer, context: StudyContext): Finding[] {
  const { areas, spearman: paper } = question;
  const area = (name: string): number => curveNamed(answer.curves, name).area;
  const own = (...stages: readonly string[]): string[] =>
    stages.map((what) => `${question.name}: ${what}`);
  const names = Object.keys(answer.rankings);
  const same = (one: string, other: string, printed: Finding["paper"]): Finding => {
    const found = answer.spearman[names.indexOf(one)][names.indexOf(other)];
    return finding(`Spearman of ${one} and ${other}`, printed, found);
  };
  const late = (what: string, ours: number, bar: Bar): Finding =>
    settledAfterwards(finding(what, null, ours, bar));
  const rows = [
    finding("accuracy on test images", null, answer.accuracy, atLeast(question.accuracy)),
    late("area under RATE's shuffle curve", area("RATE"), atMost(areas[0])),
    late("area under the random shuffle curve", area("random"), atLeast(areas[1])),
    ...names
      .filter((name) => name !== "RATE")
      .map((name) => same("RATE", name, paper[name] ?? null)),
    same("integrated gradient", "gradient × input", "≥ 0.99"),
    same("gradient × input", "ε-LRP", 1),
    finding("R² of the forest mimic on test images", null, answer.forest.heldOut),
    finding("R² of the boosting mimic on test images", null, answer.boosting.heldOut),
    ...rateTimes(
      context,
      {
        ...{ rate: own("RATE")[0], before: own("hidden layer", "effect sizes") },
        ...{ trained: ["read", ...own("train")] },
        others: own("forest mimic", "boosting mimic", "saliency"),
      },
      10,
    ),
  ];
  return rows.map((row) => ({ ...row, what: `${question.title}: ${row.what}` }));
}

/** What a small part of the data has to show; permuted labels show none of it. */
function quickFindings({ title, name }: DigitQuestion, answer: Answer): Finding[] {
  const of = (what: string, ours: number, least: number): Finding =>
    finding(`${title}: ${what}`, null, ours, atLeast(least));
  const area = (method: string): number => curveNamed(answer.curves, method).area;
  const easy = name === "zeros-ones";
  return [
    of("accuracy on test images", answer.accuracy, easy ? 0.98 : 0.85),
    of("area at random less that of RATE", area("random") - area("RATE"), easy ? 0.05 : 0.03),
    of("R² of the boosting mimic on test images", answer.boosting.heldOut, 0.3),
  ];
}

function tableOf(question: DigitQuestion, answer: Answer): StudyTable {
  const { rankings, curves, forest, boosting } = answer;
  const [first, ...rest] = question.title;
  const settings: Readonly<Record<string, string>> = {
    "RF mimic": settingsText(forest.settings),
    "GBM mimic": settingsText(boosting.settings),
  };
  return {
    title: `${first.toUpperCase()}${rest.join("")}: methods beside each other`,
    columns: [
      ...["method", "area", "its own standard error"],
      ...["pixels without importance", "settings found"],
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

function figuresOf({ name, title }: DigitQuestion, answer: Answer): StudyFigure[] {
  const { spearman, ranks, curves } = answer;
  const methods = Object.entries(answer.rankings).map(([method, { scores }]) => ({
    ...{ method, scores },
  }));
  const figures: StudyFigure[] = [
    {
      name: "triangle",
      caption:
        "importance of the pixels on the diagonal (the darker, the more important), their ranks by two methods below it, Spearman's correlation above it",
      svg: pixelTriangleFigure(methods, { columns: SIDE, spearman, ranks, width: TRIANGLE }),
    },
    {
      name: "pixels",
      caption: "importance of the pixels by every method",
      svg: pixelMapsFigure(methods, { columns: SIDE }),
    },
    {
      name: "shuffle-test",
      ...shuffleTestFigure(curves, { shuffled: "pixels", on: "test images" }),
    },
  ];
  return figures.map((figure) => ({
    ...{ name: `${name}-${figure.name}`, svg: figure.svg },
    caption: `${title}: ${figure.caption}`,
  }));
}
