import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groupLassoPath } from "../../src/learners/index.ts";
import { fromRows } from "../../src/linalg/index.ts";
import { expectClose } from "../support/close.ts";

const folder = process.env.RATEWISE_REFERENCES;
if (!folder)
  throw new Error("RATEWISE_REFERENCES is not set: it names the folder that holds baselines.json");

interface Reference {
  readonly X: number[][];
  readonly y: number[];
  readonly groups: number[][];
  readonly solutions: { lambda: number; coef: number[]; objective: number }[];
}
const reference: Reference = JSON.parse(
  readFileSync(join(folder, "baselines.json"), "utf8"),
).group_lasso;

test("the stored optima: objective to 1e-8, coefficients to 1e-6, along one path and each alone", async () => {
  const X = fromRows(reference.X);
  const y = Float64Array.from(reference.y);
  const options = { groups: reference.groups, intercept: false, standardise: false };
  const falling = [...reference.solutions].sort((a, b) => b.lambda - a.lambda);
  const lambdas = Float64Array.from(falling, ({ lambda }) => lambda);
  const path = await groupLassoPath(X, y, { ...options, lambdas });
  for (const [k, { lambda, coef, objective }] of falling.entries()) {
    const alone = await groupLassoPath(X, y, { ...options, lambdas: Float64Array.of(lambda) });
    for (const solution of [path.solutions[k], alone.solutions[0]]) {
      expectClose([solution.objective], [objective], { rtol: 1e-8 });
      expectClose(solution.coefficients, coef, { rtol: 0, atol: 1e-6 });
    }
  }
  expect(falling.length).toBeGreaterThan(1);
});
