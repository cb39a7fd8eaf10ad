import { describe, expect, test } from "vitest";
import type { EffectSizes } from "../../src/effects/effect-sizes.ts";
import {
  cholesky,
  type Matrix,
  matrix,
  multiply,
  outerGram,
  rowBlock,
} from "../../src/linalg/index.ts";
import { contrastEffects } from "../../src/rate/contrast.ts";
import { rate, rateClasses } from "../../src/rate/index.ts";
import { expectClose } from "../support/close.ts";
import { randomEffects } from "./random-effects.ts";

const a = randomEffects(81, { p: 8, l: 2 });
const b = { ...randomEffects(82, { p: 8, l: 3 }), names: a.names };

describe("the contrast of two classes", () => {
  test("of independent posteriors has the sum of both covariances", () => {
    const contrast = contrastEffects(a, b);
    expectClose(
      contrast.mean,
      a.mean.map((value, j) => value - b.mean[j]),
    );
    const [covA, covB] = [outerGram(a.factor), outerGram(b.factor)];
    expectClose(
      outerGram(contrast.factor).data,
      covA.data.map((value, i) => value + covB.data[i]),
      { rtol: 1e-10, atol: 1e-12 },
    );
    expectClose(
      contrast.noise ?? [],
      a.noise?.map((value, j) => value + (b.noise?.[j] ?? 0)) ?? [],
    );
  });

  test("of a joint posterior has B(V_aa + V_bb − V_ab − V_ba)Bᵀ", () => {
    const l = 2;
    const root = randomEffects(83, { p: 2 * l, l: 2 * l }).factor;
    const V = outerGram(root);
    const L = cholesky(V);
    const B = randomEffects(84, { p: 8, l }).factor;
    const effectsOf = (c: number): EffectSizes => ({
      ...a,
      factor: multiply(B, rowBlock(L, c * l, (c + 1) * l)),
    });
    const contrast = contrastEffects(effectsOf(0), effectsOf(1), "joint");
    const at = (i: number, j: number): number => V.data[i * 2 * l + j];
    const expected: Matrix = matrix(l, l);
    for (let i = 0; i < l; i++)
      for (let j = 0; j < l; j++)
        expected.data[i * l + j] = at(i, j) + at(l + i, l + j) - at(i, l + j) - at(l + i, j);
    const covariance = multiply(B, multiply(expected, matrix(l, 8, transposed(B))));
    expectClose(outerGram(contrast.factor).data, covariance.data, { rtol: 1e-9, atol: 1e-9 });
    expect(contrast.factor.cols).toBe(2 * l);
  });

  test("has the same RATE the other way round", () => {
    for (const coupling of ["independent", "joint"] as const) {
      const other = { ...randomEffects(85, { p: 8, l: 2 }), names: a.names };
      const forth = rate(contrastEffects(a, other, coupling)).variables.rate;
      const back = rate(contrastEffects(other, a, coupling)).variables.rate;
      expectClose(back, forth, { rtol: 1e-10 });
    }
  });

  test("needs the same variables, noise on both sides, and equal columns when joint", () => {
    const short = randomEffects(1, { p: 7, l: 2 });
    expect(() => contrastEffects(a, short)).toThrow(/same 8 variables/);
    expect(() => contrastEffects(a, { ...b, names: [...a.names].reverse() })).toThrow(
      /"x1" and "x8" at 0/,
    );
    expect(() => contrastEffects(a, { ...b, noise: null })).toThrow(/noise on both sides/);
    expect(() => contrastEffects(a, b, "joint")).toThrow(/got 2 and 3/);
  });
});

describe("several classes", () => {
  test("each has its own result, and each pair asked for its contrast", () => {
    const classes = [
      { name: "cat", effects: a },
      { name: "dog", effects: b },
    ];
    const result = rateClasses(classes, { contrasts: [["dog", "cat"]], nullify: [1] });
    expect(result.classes.map(({ name }) => name)).toEqual(["cat", "dog"]);
    expect(result.classes[1].result).toEqual(rate(b, { nullify: [1] }));
    expect(result.contrasts[0].between).toEqual(["dog", "cat"]);
    expect(result.contrasts[0].result).toEqual(rate(contrastEffects(b, a), { nullify: [1] }));
    expect(() => rateClasses(classes, { contrasts: [["dog", "cow"]] })).toThrow(
      /classes cat, dog in a contrast, got "cow"/,
    );
  });
});

function transposed({ data, rows, cols }: Matrix): Float64Array {
  return Float64Array.from(
    { length: rows * cols },
    (_, at) => data[(at % rows) * cols + Math.floor(at / rows)],
  );
}
