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

test("where no column helps the model is a constant: nothing matters, and the result says so", async () => {
  const n = 500;
  let constant = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const next = normals(fold(keyFromSeed(seed), "report"));
    const draw = () => Float64Array.from({ length: n }, next);
    const source = table(
      ["a", "b", "y"].map((name) => ({ kind: "number", name, values: draw() }) as const),
    );
    const { document } = await explain(source, { target: "y", seed });
    if (document.model.form !== "constant") continue;
    constant++;
    for (const { mean, rate, direct } of document.variables)
      expect([mean, rate, direct!.rate]).toEqual([0, 0, 0]);
    expect(document.posteriorRank).toBe(0);
    expect([document.delta, document.ess]).toEqual([null, null]);
    expect(document.shapes.every(({ curves }) => curves[0].shape === "flat")).toBe(true);
    expect(document.diagnostics.map(({ code }) => code)).toContain("model-predicts-poorly");
  }
  // A network that chance favours on the rows held back is taken now and then.
  expect(constant).toBeGreaterThanOrEqual(3);
});
