import { keyFromSeed, normals } from "@ratewise/core";
import { fit, type Network } from "@ratewise/core/network";
import { describe, expect, test } from "vitest";
import { cropped, imagesAt, SIDE } from "../../src/mnist/digits.ts";
import { saliencyPixels } from "../../src/mnist/methods.ts";
import { QUESTIONS, questionData } from "../../src/mnist/question.ts";
import { accuracyOf, shufflePixels } from "../../src/mnist/shuffle-pixels.ts";
import { outputEffects } from "../../src/output-effects.ts";
import { rateRanking } from "../../src/ranking.ts";

test("images are cut to their middle, with ink from 0 to 1", () => {
  const pixels = new Uint8Array(2 * 28 * 28);
  pixels[28 * 28 + 5 * 28 + 5] = 255; // the corner of the middle, second image
  pixels[28 * 28 + 22 * 28 + 22] = 51; // the opposite corner
  pixels[28 * 28 + 4 * 28 + 5] = 255; // above it
  const { data, rows, cols } = cropped(pixels, 2);
  expect([rows, cols]).toEqual([2, SIDE * SIDE]);
  expect(data[cols]).toBe(1);
  expect(data[2 * cols - 1]).toBeCloseTo(0.2, 6);
  expect(data.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1.2, 6);
});

describe("the images of a question", () => {
  const digit = Uint8Array.from({ length: 60 }, (_, i) => i % 10);
  // A pixel tells the digit, so that labels can be checked against images.
  const X = { data: Float32Array.from(digit, (d) => d / 10), rows: 60, cols: 1 };
  const files = { train: { X, digit }, test: { X, digit } };
  const options = { key: keyFromSeed(1), most: [40, 7], permuted: false } as const;
  const [zerosOnes, evensOdds] = QUESTIONS;

  test("are those of its digits, with their classes", () => {
    const { train, test: held } = questionData(zerosOnes, files, options);
    expect([train.X.rows, held.X.rows]).toEqual([12, 7]);
    train.y.forEach((label, i) => {
      expect(train.X.data[i]).toBeCloseTo(label / 10, 6);
    });
    expect(new Set(train.y)).toEqual(new Set([0, 1]));
    const odd = questionData(evensOdds, files, options).train;
    expect(odd.X.rows).toBe(40);
    odd.y.forEach((label, i) => {
      expect(label).toBe(Math.round(10 * odd.X.data[i]) % 2);
    });
  });

  test("keep their number of each class when labels are permuted", () => {
    const kept = questionData(evensOdds, files, options).train.y;
    const moved = questionData(evensOdds, files, { ...options, permuted: true }).train.y;
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    expect(sum(moved)).toBe(sum(kept));
    expect([...moved]).not.toEqual([...kept]);
  });
});

describe("a network of images that goes by one pixel", async () => {
  const image = { height: 6, width: 6, channels: 1 };
  const next = normals(keyFromSeed(4));
  const rows = 400;
  const X = {
    data: Float32Array.from({ length: rows * 36 }, () => next()),
    rows,
    cols: 36,
  };
  const y = Float64Array.from({ length: rows }, (_, i) => (X.data[i * 36 + 14] > 0 ? 1 : 0));
  const { network }: { network: Network } = await fit(X, y, {
    key: keyFromSeed(1),
    architecture: {
      inputs: 36,
      image,
      layers: [
        { kind: "convolution", filters: 4, kernel: 3, activation: "relu" },
        { kind: "flatten" },
        { kind: "dense", units: 12, activation: "relu" },
      ],
      link: "logistic",
    },
    recipe: "standard",
    changes: { penalties: [0], epochs: 30, patience: 30, trainAgain: false },
  });

  test("is right until that pixel is shuffled", async () => {
    const before = await accuracyOf(network, { X, y });
    expect(before).toBeGreaterThan(0.85);
    const first = (pixel: number) =>
      Uint32Array.from([
        pixel,
        ...Array.from({ length: 36 }, (_, j) => j).filter((j) => j !== pixel),
      ]);
    const { counts, curves } = await shufflePixels(
      network,
      { X, y },
      { right: first(14), wrong: first(35) },
      { key: keyFromSeed(2), points: 37, repeats: 2, randomOrders: 2 },
    );
    expect(counts).toHaveLength(37);
    const [right, wrong] = curves;
    expect(right.scores[0]).toBeCloseTo(before, 12);
    expect(right.scores[1]).toBeLessThan(0.65);
    expect(wrong.scores[1]).toBeGreaterThan(before - 0.05);
    // All pixels shuffled is the same data in the same repeat, whatever the order.
    expect(right.scores[36]).toBeCloseTo(wrong.scores[36], 12);
    expect(right.area).toBeLessThan(wrong.area);
  });

  test("has that pixel first by RATE and by saliency, and attributions that add up", async () => {
    const { forward } = await import("@ratewise/core/network");
    const effects = outputEffects(network, X, forward(network, X).hidden);
    expect(rateRanking(effects).order[0]).toBe(14);
    const some = imagesAt(
      X,
      Uint32Array.from({ length: 50 }, (_, i) => i),
    );
    const integrated = await saliencyPixels(network, some, "integrated-gradients", 64, {});
    expect(integrated.order[0]).toBe(14);
    expect(integrated.gap).toBeLessThan(0.05);
    const gradient = await saliencyPixels(network, some, "gradient", 1, {});
    expect(gradient.order[0]).toBe(14);
    expect(gradient.gap).toBeGreaterThan(0.2);
  });
});
