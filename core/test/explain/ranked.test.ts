import { expect, test } from "vitest";
import { type ExplainedVariable, ranked } from "../../src/explain/index.ts";
import { effectsFromFactor, matrix, rate } from "../../src/index.ts";

const row = (name: string, rank: number, direct: number | null) =>
  ({ name, rank, direct: direct && { rate: 0.5, rank: direct } }) as ExplainedVariable;
const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

const variables = [row("a", 2, 3), row("b", 3, 1), row("c", 1, 2)];

test("variables come best first: by direct where there is one, by RATE when asked", () => {
  expect(names(ranked({ variables }))).toEqual(["b", "c", "a"]);
  expect(names(ranked({ document: { variables } }, { by: "rate" }))).toEqual(["c", "a", "b"]);
  expect(names(variables)).toEqual(["a", "b", "c"]);
});

test("without direct shares they come by RATE, and direct cannot be asked for", () => {
  const bare = { variables: [row("a", 2, null), row("b", 1, null)] };
  expect(names(ranked(bare))).toEqual(["b", "a"]);
  expect(() => ranked(bare, { by: "direct" })).toThrow("needs direct shares");
  expect(() => ranked(bare, { by: "name" as "rate" })).toThrow(
    'needs by to be "direct" or "rate", got "name"',
  );
});

test("a ranking of one's own posterior, whose nullified variable stands last", () => {
  const factor = matrix(3, 3, Float64Array.of(1, 0, 0, 0.6, 0.8, 0, 0.3, 0, 0.9));
  const effects = effectsFromFactor(Float64Array.of(0.5, 3, 1), factor, {
    names: ["x", "y", "z"],
  });
  const result = rate(effects);
  const best = ranked(result);
  expect(best.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  for (const { name, rate: share, sd } of best) {
    const j = result.variables.names.indexOf(name);
    expect([share, sd]).toEqual([result.variables.rate[j], result.variables.sd[j]]);
  }
  const without = ranked(
    rate(effects, { nullify: [result.variables.names.indexOf(best[0].name)] }),
  );
  expect(without.at(-1)).toMatchObject({ name: best[0].name, rank: null, rate: null });
});
