import { fold, type Key } from "@ratewise/core";
import { averageRanks, spearman } from "@ratewise/core/evaluate";
import { fit, forward, paperArchitecture, type Recipe } from "@ratewise/core/network";
import { mapRecord } from "../map-record.ts";
import { networkAlone } from "../network-alone.ts";
import { outputEffects } from "../output-effects.ts";
import { type Ranking, rateRanking } from "../ranking.ts";
import {
  type MimicRanking,
  mimicOf,
  type SearchSize,
  searchMimicSettings,
} from "../searched-mimic.ts";
import type { AccuracyCurves } from "../shuffle-curves.ts";
import { runOptions, type StudyContext } from "../study/study.ts";
import { type DigitFiles, SIDE } from "./digits.ts";
import {
  gradientRatePixels,
  mimickedImages,
  type SaliencyPixels,
  saliencyPixels,
  someImages,
} from "./methods.ts";
import { type DigitQuestion, questionData } from "./question.ts";
import { accuracyOf, shufflePixels } from "./shuffle-pixels.ts";

/** How much of everything: the whole study, and what fits into a minute. */
export interface Sizes {
  /** Images of each half. */
  readonly most: readonly [train: number, test: number];
  readonly changes: Partial<Recipe>;
  /** Images whose attributions are averaged, and steps of integrated gradients. */
  readonly saliencyImages: number;
  readonly steps: number;
  /** Images at which the hidden layer is differentiated. */
  readonly gradientImages: number;
  readonly mimicImages: number;
  readonly search: SearchSize & { readonly images: number };
  readonly shuffle: {
    readonly images: number;
    readonly points: number;
    readonly repeats: number;
    readonly randomOrders: number;
  };
}

export interface Answer {
  readonly images: readonly [train: number, test: number];
  readonly accuracy: number;
  readonly epochs: number;
  /** By the names of the methods, in the order of the figures. */
  readonly rankings: Readonly<Record<string, Ranking>>;
  readonly forest: MimicRanking;
  readonly boosting: MimicRanking;
  /** See {@link SaliencyPixels}. */
  readonly integrationGap: number;
  readonly curves: AccuracyCurves;
  /** Ranks of the pixels by each method, 1 the least important; Spearman's correlation of every two. */
  readonly ranks: readonly Float64Array[];
  readonly spearman: readonly (readonly number[])[];
}

/** Trains the paper's network on a question, ranks the pixels by every method and asks the network which ranking it confirms. */
export async function answerQuestion(
  question: DigitQuestion,
  digits: DigitFiles,
  sizes: Sizes,
  context: StudyContext,
  key: Key,
): Promise<Answer> {
  const run = runOptions(context);
  const { stage, permuted } = context;
  const named = (what: string): string => `${question.name}: ${what}`;
  const { train, test } = questionData(question, digits, { key, most: sizes.most, permuted });
  const { network, history } = await stage(named("train"), () =>
    fit(train.X, train.y, {
      ...{
        ...run,
        key: fold(key, "network"),
        recipe: "standard",
        changes: { ...networkAlone, ...sizes.changes },
      },
      architecture: paperArchitecture("images", {
        image: { height: SIDE, width: SIDE, channels: 1 },
        link: "logistic",
      }),
    }),
  );
  const { hidden } = await stage(named("hidden layer"), async () => forward(network, train.X));
  const effects = await stage(named("effect sizes"), async () =>
    outputEffects(network, train.X, hidden),
  );
  const rate = await stage(named("RATE"), async () => rateRanking(effects));
  const direct = await stage(named("gradient RATE"), async () =>
    gradientRatePixels(
      network,
      someImages(train, sizes.gradientImages, fold(key, "differentiated")).X,
    ),
  );
  const attributed = someImages(train, sizes.saliencyImages, fold(key, "attributed")).X;
  const salient = (method: Parameters<typeof saliencyPixels>[2]): Promise<SaliencyPixels> =>
    stage(named("saliency"), () => saliencyPixels(network, attributed, method, sizes.steps, run));
  const gradient = await salient("gradient");
  const integrated = await salient("integrated-gradients");
  const timesInput = await salient("gradient-x-input");
  const relevance = await salient("lrp");
  const taught = mimickedImages(network, train, sizes.mimicImages, fold(key, "taught"));
  const examined = mimickedImages(network, test, sizes.mimicImages, fold(key, "examined"));
  const { images, candidates, folds } = sizes.search;
  const searched = mimickedImages(network, train, images, fold(key, "searched"));
  const mimic = async (method: "forest" | "boosting"): Promise<MimicRanking> => {
    const own = fold(key, "mimic");
    const settings = await stage(named(`${method} search`), () =>
      searchMimicSettings(searched, { ...run, method, key: own, candidates, folds }),
    );
    return stage(named(`${method} mimic`), () =>
      mimicOf(method, taught, examined, settings, own, run),
    );
  };
  const forest = await mimic("forest");
  const boosting = await mimic("boosting");
  const rankings: Record<string, Ranking> = {
    RATE: rate,
    "RF mimic": forest,
    "GBM mimic": boosting,
    gradient,
    "integrated gradient": integrated,
    "gradient RATE": direct,
    "gradient × input": timesInput,
    "ε-LRP": relevance,
  };
  const accuracy = await stage(named("accuracy"), () => accuracyOf(network, test));
  const { images: shuffledImages, ...shuffle } = sizes.shuffle;
  const curves = await stage(named("shuffle test"), () =>
    shufflePixels(
      network,
      someImages(test, shuffledImages, fold(key, "shuffled")),
      mapRecord(rankings, ({ order }) => order),
      { ...run, ...shuffle, key: fold(key, "shuffle") },
    ),
  );
  const scores = Object.values(rankings).map((ranking) => ranking.scores);
  return {
    images: [train.X.rows, test.X.rows],
    accuracy,
    epochs: history.length,
    rankings,
    forest,
    boosting,
    integrationGap: integrated.gap,
    curves,
    ranks: scores.map((score) => averageRanks(score)),
    spearman: scores.map((one) => scores.map((other) => spearman(one, other))),
  };
}
