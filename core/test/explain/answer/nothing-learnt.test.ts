import { expect, test } from "vitest";
import { table } from "../../../src/data/index.ts";
import { explain } from "../../../src/explain/index.ts";
import { matrix } from "../../../src/linalg/index.ts";
import { fold, keyFromSeed, normals } from "../../../src/random/index.ts";
import { factorRank } from "../../../src/rate/factor-rank.ts";

test("a factor of zeros has rank 0, one with a row of zeros the rank of the others", () => {
  expect(factorRank(matrix(2, 3))).toBe(0);
  expect(factorRank(matrix(2, 3, Float64Array.of(1, 2, 3, 0, 0, 0)))).toBe(1);
});

test("a network whose every input was shrunk to nothing is explained: nothing matters, and the result says so", async () => {
  const n = 500;
  const next = normals(fold(keyFromSeed(1), "report"));
  for (let i = 0; i < 2 * n; i++) next();
  const draw = () => Float64Array.from({ length: n }, next);
  const [a, b] = [draw(), draw()];
  for (let i = 0; i < n; i++) next();
  const source = table([
    { kind: "number", name: "a", values: a },
    { kind: "number", name: "b", values: b },
    { kind: "number", name: "y", values: draw() },
  ]);
  const { document } = await explain(source, { target: "y" });
  for (const { mean, rate, direct } of document.variables)
    expect([mean, rate, direct!.rate]).toEqual([0, 0, 0]);
  expect(document.posteriorRank).toBe(0);
  expect([document.delta, document.ess]).toEqual([null, null]);
  expect(document.shapes.every(({ curves }) => curves[0].shape === "flat")).toBe(true);
  expect(document.diagnostics.map(({ code }) => code)).toContain("model-predicts-poorly");
});
