import { fold, type Key } from "@ratewise/core";
import type { Rows } from "@ratewise/core/network";
import { permutation, subsample } from "@ratewise/core/random";
import { type DigitFiles, type Digits, imagesAt } from "./digits.ts";

/** Two classes of digits, what the paper prints of them and what is asked. */
export interface DigitQuestion {
  readonly name: "zeros-ones" | "evens-odds";
  readonly title: string;
  /** 1, 0, or null for digits that are left out. */
  readonly classOf: (digit: number) => 0 | 1 | null;
  readonly accuracy: number;
  /** The most that RATE's area may be, the least that the random one has to be. */
  readonly areas: readonly [rate: number, random: number];
  /** Spearman's correlations of RATE that the paper prints. */
  readonly spearman: Readonly<Record<string, number>>;
}

export const QUESTIONS: readonly DigitQuestion[] = [
  {
    name: "zeros-ones",
    title: "zeros and ones",
    classOf: (digit) => (digit === 0 || digit === 1 ? digit : null),
    accuracy: 0.998,
    areas: [0.73, 0.9],
    spearman: { "RF mimic": 0.79, "integrated gradient": 0.63 },
  },
  {
    name: "evens-odds",
    title: "evens and odds",
    classOf: (digit) => (digit % 2 === 1 ? 1 : 0),
    accuracy: 0.985,
    areas: [0.67, 0.68],
    spearman: {},
  },
];

export interface LabelledImages {
  readonly X: Rows & { readonly data: Float32Array };
  readonly y: Float64Array;
}

export interface QuestionData {
  readonly train: LabelledImages;
  readonly test: LabelledImages;
}

export interface QuestionDataOptions {
  readonly key: Key;
  /** Images to take of each half, drawn at random; all of them where there are fewer. */
  readonly most: readonly [train: number, test: number];
  readonly permuted: boolean;
}

/** The images of a question; the halves are MNIST's own. Permuted, the labels of each half are exchanged within it. */
export function questionData(
  { classOf }: DigitQuestion,
  { train, test }: DigitFiles,
  { key, most, permuted }: QuestionDataOptions,
): QuestionData {
  const part = ({ X, digit }: Digits, size: number, own: Key): LabelledImages => {
    const asked = [...digit.keys()].filter((i) => classOf(digit[i]) !== null);
    const drawn = subsample(fold(own, "drawn"), asked.length, Math.min(size, asked.length));
    const rows = Uint32Array.from(drawn, (k) => asked[k]);
    const from = permuted ? permutation(fold(own, "permuted"), rows.length) : rows.map((_, i) => i);
    return {
      X: imagesAt(X, rows),
      y: Float64Array.from(from, (i) => classOf(digit[rows[i]])!),
    };
  };
  return {
    train: part(train, most[0], fold(key, "train")),
    test: part(test, most[1], fold(key, "test")),
  };
}
