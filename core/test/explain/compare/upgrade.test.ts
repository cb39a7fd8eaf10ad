import { expect, test } from "vitest";
import type { CompareDocument } from "../../../src/explain/index.ts";
import { upgradeComparison } from "../../../src/explain/index.ts";

const row = (slopes: string) => ({
  scores: { rate: 0.4, [slopes]: 0.6 },
  ranks: { rate: 2, [slopes]: 1 },
  standardErrors: { [slopes]: 0.1 },
});

/** A comparison as 0.1.0 wrote it, or with the name that `slopes` has now. */
const written = (slopes: string): CompareDocument => {
  const document = {
    kind: "compare",
    schema: 2,
    methods: [{ name: "rate" }, { name: slopes, seconds: 3 }],
    variables: [{ name: "gradient-rate", ...row(slopes) }],
    groups: [{ name: "both", size: 2, ...row(slopes) }],
    shuffle: { counts: [0, 1], curves: [{ name: slopes, area: 0.5 }, { name: "random" }] },
    diagnostics: [
      { code: "overlooked-by-rate", message: `Go by ${slopes} there.` },
      { code: "ranks-nothing", message: `${slopes} found nothing.`, method: slopes },
    ],
    options: { methods: ["rate", slopes], command: "ratewise compare" },
    seed: 7,
  };
  return document as unknown as CompareDocument;
};

test("a comparison of an earlier version has the names of this one, and a variable keeps its own", () => {
  expect(upgradeComparison(written("gradient-rate"))).toEqual(written("gradient"));
});

test("one of this version is left as it is", () => {
  const document = written("gradient");
  expect(upgradeComparison(document)).toBe(document);
});
