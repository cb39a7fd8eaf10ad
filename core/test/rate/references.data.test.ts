import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EffectSizes } from "../../src/effects/effect-sizes.ts";
import { fromRows } from "../../src/linalg/index.ts";
import { rate } from "../../src/rate/index.ts";
import { expectClose } from "../support/close.ts";

interface Reference {
  readonly name: string;
  readonly mean: number[];
  readonly factor: number[][];
  readonly noise: number[];
  readonly groups: number[][];
  readonly nullify: number[];
  readonly expected: Record<string, number[]> & { delta: number; ess: number };
}

const folder = process.env.RATEWISE_REFERENCES;
if (!folder)
  throw new Error("RATEWISE_REFERENCES is not set: it names the folder that holds rate.json");
const references: Reference[] = JSON.parse(readFileSync(join(folder, "rate.json"), "utf8"));

function effectsOf({ mean, factor, noise }: Reference, withNoise: boolean): EffectSizes {
  return {
    names: mean.map((_, j) => `x${j + 1}`),
    mean: Float64Array.from(mean),
    factor: fromRows(factor),
    noise: withNoise ? Float64Array.from(noise) : null,
  };
}

test("there are references to hold to", () => {
  expect(references.length).toBeGreaterThan(0);
});

describe.each(references)("$name", (reference) => {
  const { expected, nullify } = reference;
  const groups = reference.groups.map((members, g) => ({ name: `group ${g}`, members }));
  const close = { rtol: 1e-9 };
  const present = <T>(value: T | null): T => {
    if (value === null) throw new Error("null");
    return value;
  };
  // Each number of the file is asked for below; a new one must be.
  const asked = new Set<string>(["delta", "ess"]);
  const expectedOf = (key: string): number[] => {
    asked.add(key);
    return expected[key];
  };

  test("divergences, mutual information, shares, spread and standard deviations", () => {
    for (const variant of ["noise", "exact", undefined] as const) {
      const result = rate(effectsOf(reference, true), variant && { variant });
      expectClose(result.variables.kld, expectedOf("kldMeanTerm"), close);
      expectClose(present(result.variables.kldExact), expectedOf("kldExact"), close);
      expectClose(
        present(result.variables.mutualInformation),
        expectedOf("mutualInformation"),
        close,
      );
      expectClose(result.variables.rate, expectedOf("rate"), close);
      expectClose(result.variables.sd, expectedOf("sd"), close);
      expectClose([present(result.delta)], [expected.delta], close);
      expectClose([present(result.ess)], [expected.ess], close);
    }
  });

  test("groups, two of them overlapping", () => {
    const result = present(rate(effectsOf(reference, true), { groups }).groups);
    expectClose(result.kld, expectedOf("groupKldMeanTerm"), close);
    expectClose(present(result.kldExact), expectedOf("groupKldExact"), close);
    expectClose(present(result.mutualInformation), expectedOf("groupMutualInformation"), close);
    expectClose(result.rate, expectedOf("groupRate"), close);
  });

  test("nullified variables are conditioned on and leave the ranking", () => {
    const { variables } = rate(effectsOf(reference, true), { nullify });
    const kept = variables.rate.filter((_, j) => !nullify.includes(j));
    expectClose(kept, expectedOf("nullifiedRate"), close);
  });

  test("r-2020", () => {
    const { variables } = rate(effectsOf(reference, true), { variant: "r-2020" });
    expectClose(variables.rate, expectedOf("r2020Rate"), { rtol: 1e-6 });
  });

  test("published, with noise and without", () => {
    const { variables } = rate(effectsOf(reference, true), { variant: "published" });
    expectClose(variables.rate, expectedOf("publishedFullRank"), close);
    if (!("publishedFactorOnly" in expected)) return;
    const alone = rate(effectsOf(reference, false), { variant: "published" }).variables;
    expectClose(alone.rate, expectedOf("publishedFactorOnly"), close);
    expectClose(alone.rate, expectedOf("publishedPythonOutput"), close);
  });

  test("pseudo-inverse, which no noise changes", () => {
    if (!("pseudoInverseRate" in expected)) return;
    for (const withNoise of [true, false]) {
      const { variables } = rate(effectsOf(reference, withNoise), { variant: "pseudo-inverse" });
      expectClose(variables.rate, expectedOf("pseudoInverseRate"), { rtol: 1e-6 });
    }
  });

  test("no number of the file is left out", () => {
    expect(Object.keys(expected).filter((key) => !asked.has(key))).toEqual([]);
  });
});
