import { describe, expect, test } from "vitest";
import type { EffectSizes } from "../../src/effects/effect-sizes.ts";
import { matrix } from "../../src/linalg/index.ts";
import { type RateOptions, rate, type Variant } from "../../src/rate/index.ts";
import { randomEffects } from "./random-effects.ts";

const effects = randomEffects(1, { p: 4, l: 2 });
const changed = (values: Float64Array | null, at: number, value: number): Float64Array => {
  const out = values?.slice() ?? new Float64Array(4);
  out[at] = value;
  return out;
};
const factorWith = (value: number): EffectSizes => ({
  ...effects,
  factor: matrix(4, 2, changed(effects.factor.data, 5, value)),
});

describe("bad input names what, where and what it needs", () => {
  const one = randomEffects(1, { p: 1, l: 1 });
  const cases: [string, EffectSizes, RateOptions, string, RegExp][] = [
    ["one variable", one, {}, "domain", /at least 2 variables, got 1/],
    ["names", { ...effects, names: ["a"] }, {}, "shape", /4 names, one for each mean, got 1/],
    ["factor rows", { ...effects, factor: matrix(3, 2) }, {}, "shape", /4 rows in the factor.*3×2/],
    ["noise length", { ...effects, noise: new Float64Array(5) }, {}, "shape", /4 noise.*got 5/],
    [
      "NaN factor",
      factorWith(Number.NaN),
      {},
      "domain",
      /NaN in the factor at row 2 \("x3"\), column 1/,
    ],
    ["infinite factor", factorWith(-1 / 0), {}, "domain", /-Infinity in the factor/],
    [
      "NaN mean",
      { ...effects, mean: changed(effects.mean, 1, Number.NaN) },
      {},
      "domain",
      /NaN in the mean of variable 1 \("x2"\)/,
    ],
    [
      "NaN noise",
      { ...effects, noise: changed(effects.noise, 3, Number.NaN) },
      {},
      "domain",
      /NaN in the noise of variable 3/,
    ],
    [
      "negative noise",
      { ...effects, noise: changed(effects.noise, 3, -2) },
      {},
      "domain",
      /at least 0, got -2 for variable 3 \("x4"\)/,
    ],
    [
      "overflow",
      { ...effects, noise: new Float64Array(4).fill(1e-320) },
      {},
      "domain",
      /overflows/,
    ],
    [
      "variant",
      effects,
      { variant: "bayes" as Variant },
      "unknown-name",
      /"noise", "exact".*got "bayes"/,
    ],
    ["nugget", effects, { nugget: 0 }, "domain", /nugget above 0, got 0/],
    ["infinite nugget", effects, { nugget: 1 / 0 }, "domain", /nugget above 0, got Infinity/],
    [
      "nugget elsewhere",
      effects,
      { nugget: 1, variant: "exact" },
      "domain",
      /variant "nugget" for a nugget/,
    ],
    ["no nugget", effects, { variant: "nugget" }, "domain", /needs the option nugget/],
    [
      "empty group",
      effects,
      { groups: [{ name: "g", members: [] }] },
      "domain",
      /at least one member in group 0 \("g"\)/,
    ],
    [
      "member",
      effects,
      { groups: [{ name: "g", members: [0, 4] }] },
      "domain",
      /0 to 3 as member 1 of group 0 \("g"\), got 4/,
    ],
    ["half a member", effects, { groups: [{ name: "g", members: [0.5] }] }, "domain", /got 0.5/],
    ["nullify", effects, { nullify: [-1] }, "domain", /0 to 3 as nullify\[0\], got -1/],
    ["nullify all", effects, { nullify: [0, 1, 2, 3] }, "domain", /not nullified, got all 4/],
  ];
  test.each(cases)("%s", (_, given, options, code, message) => {
    expect(() => rate(given, options)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
