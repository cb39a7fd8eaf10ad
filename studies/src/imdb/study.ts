import { fold, keyFromSeed, type RunOptions } from "@ratewise/core";
import type { BoostingSettings, ForestSettings, SparseMatrix } from "@ratewise/core/learners";
import {
  fit,
  type Network,
  paperArchitecture,
  type Recipe,
  saliency,
} from "@ratewise/core/network";
import { subsample } from "@ratewise/core/random";
import { type Ranking, rankingOf } from "../ranking.ts";
import { type MimicRanking, mimicOf } from "../searched-mimic.ts";
import type { Study } from "../study/study.ts";
import { type ChosenSettings, chooseSettings } from "./mimics.ts";
import { prepareReviews } from "./prepare.ts";
import { rateWords, wordEffects } from "./rate-words.ts";
import { reviewsReport } from "./report.ts";
import { readReviews } from "./reviews.ts";
import { shuffleWords } from "./shuffle-words.ts";
import { afterSums, firstSums, probabilitiesAfter, sparseNetwork } from "./sparse-network.ts";
import { denseRows, selectSparseRows } from "./sparse-rows.ts";

/** How much of everything: the whole study, and what fits into a minute. */
interface Sizes {
  readonly reviews: number;
  readonly changes: Partial<Recipe>;
  /** Reviews that settings of mimics are chosen on. */
  readonly searchReviews: number;
  /** Reviews that the forests learn from; boosting learns from all. */
  readonly forestReviews: number;
  readonly forests: readonly ForestSettings[];
  readonly boostings: readonly BoostingSettings[];
  readonly repeats: number;
  /** Test reviews of the shuffle test. */
  readonly shuffleRows: number;
  /** Reviews at which the network is differentiated. */
  readonly gradientRows: number;
}

const WHOLE: Sizes = {
  reviews: Number.POSITIVE_INFINITY,
  changes: { penalties: [1, 3], epochs: 10, patience: 3, trainAgain: false },
  searchReviews: 2000,
  forestReviews: 15_000,
  forests: [
    { trees: 20, maxFeatures: 0.1, minLeaf: 20 },
    { trees: 20, maxFeatures: 0.1, minLeaf: 5 },
    { trees: 20, maxFeatures: 1 / 3, minLeaf: 20 },
    { trees: 20, maxFeatures: 1 / 3, minLeaf: 5 },
  ],
  boostings: [
    { rounds: 300 },
    { rounds: 300, maxLeaves: 8 },
    { rounds: 150, rate: 0.2, maxLeaves: 8 },
    { rounds: 300, rate: 0.2, maxLeaves: 4 },
  ],
  repeats: 3,
  shuffleRows: 4000,
  gradientRows: 2000,
};

const QUICK: Sizes = {
  reviews: 4000,
  changes: { penalties: [2], epochs: 8, patience: 3, trainAgain: false },
  searchReviews: 300,
  forestReviews: 1500,
  forests: [
    { trees: 5, maxFeatures: 0.1, minLeaf: 20 },
    { trees: 5, maxFeatures: "sqrt", minLeaf: 5 },
  ],
  boostings: [
    { rounds: 50, maxLeaves: 8 },
    { rounds: 50, maxLeaves: 4 },
  ],
  repeats: 2,
  shuffleRows: 1000,
  gradientRows: 300,
};

const FOLDS = 2;
/** Trees so low that most words are never split on: what the paper's forest mimic seems to have been. */
const LOW_DEPTH = 5;

type MimicSettings = readonly Readonly<Record<string, unknown>>[];

/** Figure 9: a network of word counts, and which words it goes by. */
export const imdb: Study = {
  name: "imdb",
  title: "Which words make a film review positive or negative",
  question:
    "Which of 1,000 words does a network of film reviews go by, do mimics agree, and which ranking would the network itself confirm?",
  source: "section 5.3, Figure 9",
  needs: ["imdb"],
  async run(context) {
    const { seed, quick, permuted, data, stage, signal, onProgress } = context;
    const key = keyFromSeed(seed);
    const sizes = quick ? QUICK : WHOLE;
    const run: RunOptions = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
    const reviews = await stage("read", () => readReviews(data));
    const { train, test } = await stage("prepare", async () =>
      prepareReviews(reviews, { key, most: sizes.reviews, permuted }),
    );
    const { network } = await stage("train", () =>
      fit(denseRows(train.X), train.positive, {
        ...run,
        key: fold(key, "network"),
        architecture: paperArchitecture("text", { inputs: train.X.cols, link: "logistic" }),
        recipe: "standard",
        changes: sizes.changes,
      }),
    );
    const sparse = sparseNetwork(network);
    const trainSums = await stage("hidden layers", async () => firstSums(sparse, train.X));
    const { hidden } = await stage("hidden layers", async () => afterSums(sparse, trainSums));
    const effects = await stage("effect sizes", async () => wordEffects(network, train.X, hidden));
    const rate = await stage("RATE", async () => rateWords(effects));
    const direct = await stage("gradients", () =>
      meanSquaredGradients(
        network,
        train.X,
        subsample(fold(key, "gradients"), train.X.rows, Math.min(sizes.gradientRows, train.X.rows)),
        run,
      ),
    );
    const trainRows = { X: train.X, probabilities: probabilitiesAfter(sparse, trainSums) };
    const testSums = firstSums(sparse, test.X);
    const testRows = { X: test.X, probabilities: probabilitiesAfter(sparse, testSums) };
    const some = (count: number, label: string): typeof trainRows => {
      const rows = subsample(fold(key, label), train.X.rows, Math.min(count, train.X.rows));
      return {
        X: selectSparseRows(train.X, rows),
        probabilities: Float64Array.from(rows, (row) => trainRows.probabilities[row]),
      };
    };
    const on = some(sizes.searchReviews, "searched");
    const forestRows = some(sizes.forestReviews, "forest reviews");
    const chosen = async (
      method: "boosting" | "forest",
      candidates: MimicSettings,
      taught: typeof trainRows,
    ): Promise<MimicRanking & ChosenSettings> => {
      const own = fold(key, `${method} mimic`);
      const { settings, searched } = await stage(`${method} search`, () =>
        chooseSettings({ ...run, key: own, method, candidates, on, folds: FOLDS }),
      );
      const mimic = await stage(`${method} mimic`, () =>
        mimicOf(method, taught, testRows, settings, own, run),
      );
      return { ...mimic, searched };
    };
    const boosting = await chosen("boosting", sizes.boostings as MimicSettings, trainRows);
    const forest = await chosen("forest", sizes.forests as MimicSettings, forestRows);
    const low = await stage("low forest mimic", () =>
      mimicOf(
        "forest",
        forestRows,
        testRows,
        { trees: sizes.forests[0].trees, maxDepth: LOW_DEPTH },
        fold(key, "low"),
        run,
      ),
    );
    const shuffled = subsample(
      fold(key, "shuffled"),
      test.X.rows,
      Math.min(sizes.shuffleRows, test.X.rows),
    );
    const curves = await stage("shuffle test", () =>
      shuffleWords(
        sparse,
        selectSparseRows(test.X, shuffled),
        Float64Array.from(shuffled, (row) => test.positive[row]),
        {
          RATE: rate.order,
          direct: direct.order,
          "GBM mimic": boosting.order,
          "RF mimic": forest.order,
          "low RF mimic": low.order,
        },
        {
          ...run,
          key: fold(key, "shuffle"),
          repeats: sizes.repeats,
          randomOrders: 2 * sizes.repeats,
        },
      ),
    );
    return reviewsReport(
      {
        words: reviews.words,
        accuracy: shareRight(testRows.probabilities, test.positive),
        rate,
        direct,
        boosting,
        forest,
        low: { ...low, depth: LOW_DEPTH },
        curves,
      },
      context,
    );
  },
};

/** (1/n)Σ(∂f/∂x_j)² of the logit; columns have variance 1. */
async function meanSquaredGradients(
  network: Network,
  X: SparseMatrix,
  rows: Uint32Array,
  run: RunOptions,
): Promise<Ranking> {
  const slopes = await saliency([network], denseRows(selectSparseRows(X, rows)), {
    ...run,
    method: "gradient",
    precision: "single",
  });
  const scores = new Float64Array(X.cols);
  slopes.data.forEach((slope, e) => {
    scores[e % X.cols] += slope ** 2 / slopes.rows;
  });
  return rankingOf(scores);
}

function shareRight(probabilities: Float64Array, positive: Float64Array): number {
  const right = probabilities.filter((chance, i) => chance >= 0.5 === positive[i] > 0);
  return right.length / positive.length;
}
