import { expect, test } from "vitest";
import { sigmoid, softplus } from "../../src/elementary/index.ts";
import { logSumExp } from "../../src/elementary/log-sum-exp.ts";
import { expectClose } from "../support/close.ts";

test("the sigmoid and log(1 + e^z) are their definitions, and do not overflow", () => {
  for (const z of [-3, -0.1, 0, 0.1, 3]) {
    expectClose([sigmoid(z)], [1 / (1 + Math.exp(-z))], { rtol: 1e-15 });
    expectClose([softplus(z)], [Math.log(1 + Math.exp(z))], { rtol: 1e-14 });
  }
  expect([sigmoid(-1000), sigmoid(1000)]).toEqual([0, 1]);
  expect([softplus(-1000), softplus(1000)]).toEqual([0, 1000]);
});

test("logSumExp is its definition, of all numbers or of every third from one on", () => {
  const values = Float64Array.of(5, 1, 9, 2, 2, 9);
  const naive = (x: number[]) => Math.log(x.reduce((sum, v) => sum + Math.exp(v), 0));
  expectClose([logSumExp(values)], [naive([...values])], { rtol: 1e-15 });
  expectClose([logSumExp(values, 1, 3)], [naive([1, 2])], { rtol: 1e-15 });
  expect(logSumExp(Float64Array.of(1000, 1000))).toBe(1000 + Math.log(2));
});
