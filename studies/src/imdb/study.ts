import { fold, keyFromSeed, type RunOptions } from "@ratewise/core";
import { accuracy } from "@ratewise/core/evaluate";
import type { BoostingSettings, ForestSettings, SparseMatrix } from "@ratewise/core/learners";
import {
  fit,
  type Network,
  paperArchitecture,
  type Recipe,
  saliency,
} from "@ratewise/core/network";
import { subsample } from "@ratewise/core/random";
import { mapRecord } from "../map-record.ts";
import { networkAlone } from "../network-alone.ts";
import { outputEffects } from "../output-effects.ts";
import { type Ranking, rankingOf, rateRanking } from "../ranking.ts";
import { type MimicRanking, mimicOf } from "../searched-mimic.ts";
import { runOptions, type Study } from "../study/study.ts";
import { type ChosenSettings, chooseSettings } from "./mimics.ts";
import { prepareReviews } from "./prepare.ts";
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
    const { seed, quick, permuted, data, stage } = context;
    const key = keyFromSeed(seed);
    const sizes = quick ? QUICK : WHOLE;
    const run = runOptions(context);
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
        changes: { ...networkAlone, ...sizes.changes },
      }),
    );
    const sparse = sparseNetwork(network);
    const trainSums = await stage("hidden layers", async () => firstSums(sparse, train.X));
    const { hidden } = await stage("hidden layers", async () => afterSums(sparse, trainSums));
    const effects = await stage("effect sizes", async () =>
      outputEffects(network, train.X, hidden),
    );
    const shares = await stage("RATE", async () => rateRanking(effects));
    const rate = { ...shares, mean: effects.mean };
    const drawn = (of: SparseMatrix, count: number, label: string): Uint32Array =>
      subsample(fold(key, label), of.rows, Math.min(count, of.rows));
    const differentiated = drawn(train.X, sizes.gradientRows, "gradients");
    const direct = await stage("gradients", () =>
      meanSquaredGradients(network, train.X, differentiated, run),
    );
    const trainRows = { X: train.X, probabilities: probabilitiesAfter(sparse, trainSums) };
    const testSums = firstSums(sparse, test.X);
    const testRows = { X: test.X, probabilities: probabilitiesAfter(sparse, testSums) };
    const some = (count: number, label: string): typeof trainRows => {
      const rows = drawn(train.X, count, label);
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
    const lowSettings = { trees: sizes.forests[0].trees, maxDepth: LOW_DEPTH };
    const low = await stage("low forest mimic", () =>
      mimicOf("forest", forestRows, testRows, lowSettings, fold(key, "low"), run),
    );
    const shuffled = drawn(test.X, sizes.shuffleRows, "shuffled");
    const mimics = { "GBM mimic": boosting, "RF mimic": forest, "low RF mimic": low };
    const rankings = { RATE: rate, direct, ...mimics };
    const curves = await stage("shuffle test", () =>
      shuffleWords(
        sparse,
        selectSparseRows(test.X, shuffled),
        Float64Array.from(shuffled, (row) => test.positive[row]),
        mapRecord<keyof typeof rankings, Ranking, Uint32Array>(rankings, ({ order }) => order),
        {
          ...{ ...run, key: fold(key, "shuffle") },
          ...{ repeats: sizes.repeats, randomOrders: 2 * sizes.repeats },
        },
      ),
    );
    const classes = testRows.probabilities.map((chance) => (chance >= 0.5 ? 1 : 0));
    return reviewsReport(
      {
        ...{ words: reviews.words, rankings, depth: LOW_DEPTH, curves },
        accuracy: accuracy(classes, test.positive),
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
