import { describe, expect, test } from "vitest";
import { adamState, adamStepInPlace } from "../../src/network/adam.ts";
import { connect } from "../../src/network/architecture.ts";
import { layoutOf } from "../../src/network/layout.ts";
import { penaltyGroups } from "../../src/network/penalty.ts";
import { expectClose } from "../support/close.ts";
import { shrinkInPlace } from "./naive/shrink.ts";

describe("adam", () => {
  const free = { learningRate: 0.1, clipNorm: Number.POSITIVE_INFINITY };

  test("the first step has the length of the learning rate, whatever the gradient", () => {
    const theta = Float64Array.of(1, 1);
    adamStepInPlace(theta, Float64Array.of(1e-3, -50), adamState(2), free);
    expectClose(theta, [0.9, 1.1], { rtol: 1e-5 });
  });

  test("two steps match the formula by hand", () => {
    const theta = Float64Array.of(0);
    const state = adamState(1);
    adamStepInPlace(theta, Float64Array.of(2), state, free);
    adamStepInPlace(theta, Float64Array.of(-1), state, free);
    const m = (0.9 * 0.2 - 0.1) / (1 - 0.81);
    const s = (0.999 * 0.004 + 0.001) / (1 - 0.998001);
    expectClose(theta, [-0.1 - (0.1 * m) / Math.sqrt(s)], { rtol: 1e-6 });
  });

  test("a long gradient is cut to clipNorm, a short one is left", () => {
    const [long, short] = [adamState(2), adamState(2)];
    const clip = { learningRate: 0.1, clipNorm: 1 };
    adamStepInPlace(Float64Array.of(0, 0), Float64Array.of(3, 4), long, clip);
    adamStepInPlace(Float64Array.of(0, 0), Float64Array.of(0.3, 0.4), short, clip);
    expectClose(long.first, [0.06, 0.08]);
    expectClose(short.first, [0.03, 0.04]);
  });
});

describe("the input penalty", () => {
  const dense = layoutOf({
    inputs: 3,
    layers: [
      { kind: "dropout", rate: 0.1 },
      { kind: "dense", units: 2, activation: "relu" },
    ],
    link: "identity",
  });

  test("shortens each input's row by ηλ and stops at zero", () => {
    const theta = Float64Array.from({ length: dense.size }, () => 9);
    theta.set([3, 4, 0.3, 0.4, 0, 0]);
    shrinkInPlace(theta, penaltyGroups(dense), 1);
    expectClose(theta.subarray(0, 6), [2.4, 3.2, 0, 0, 0, 0]);
    expect(theta.subarray(6).every((x) => x === 9)).toBe(true);
  });

  test("groups shrink together by √|g| and ungrouped inputs stay", () => {
    const theta = new Float64Array(dense.size);
    theta.set([3, 0, 1, 1, 0, 4]);
    shrinkInPlace(theta, penaltyGroups(dense, [[0, 2]]), 1);
    const keep = 1 - Math.SQRT2 / 5;
    expectClose(theta.subarray(0, 6), [3 * keep, 0, 1, 1, 0, 4 * keep]);
  });

  test("a masked layer's inputs own their connections", () => {
    const masked = layoutOf({
      inputs: 3,
      layers: [
        {
          kind: "masked-dense",
          units: 2,
          activation: "relu",
          connectivity: connect([
            [2, 1],
            [0, 0],
            [0, 1],
            [2, 1],
          ]),
        },
      ],
      link: "identity",
    });
    const theta = new Float64Array(masked.size);
    theta.set([3, 4, 2]);
    shrinkInPlace(theta, penaltyGroups(masked), 1);
    expectClose(theta.subarray(0, 3), [2.4, 3.2, 1]);
  });

  test("a column in two groups is refused", () => {
    expect(() => penaltyGroups(dense, [[0, 1], [1]])).toThrow("disjoint groups, got 1 twice");
  });
});
