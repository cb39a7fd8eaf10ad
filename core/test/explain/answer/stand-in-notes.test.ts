import { describe, expect, test } from "vitest";
import { diagnosticOf } from "../../../src/diagnostic.ts";
import { withStandIns } from "../../../src/explain/answer/stand-in-notes.ts";
import type { ExplainedVariable } from "../../../src/explain/index.ts";
import { keyFromSeed, normals } from "../../../src/random/index.ts";

const rows = 1000;
const next = normals(keyFromSeed(2));
const draw = () => Float64Array.from({ length: rows }, next);
const cause = draw();
const columns = [cause, cause.map((v) => v + 0.3 * next()), cause.map((v) => v + next()), draw()];
const X = {
  data: Float32Array.from({ length: 4 * rows }, (_, e) => columns[e % 4][Math.floor(e / 4)]),
  rows,
  cols: 4,
};
const owner = Uint32Array.of(0, 1, 2, 3);

const variable = (name: string, rate: number, direct: number | null): ExplainedVariable => ({
  name,
  rate,
  direct: direct === null ? null : { rate: direct, rank: 1 },
  standInFor: null,
  rank: 1,
  kld: null,
  kldExact: null,
  mutualInformation: null,
  mean: null,
  sd: null,
  selected: null,
  pValue: null,
  qValue: null,
  topK: null,
  rankInterval: null,
});
const given = (direct: boolean) =>
  [
    variable("cause", 0.4, 0.9),
    variable("copy", 0.3, 0.02),
    variable("half", 0.15, 0.06),
    variable("apart", 0.15, 0.02),
  ].map((row) => (direct ? row : { ...row, direct: null }));

describe("stand-ins in words", () => {
  const { variables, diagnostics } = withStandIns(given(true), X, owner, cause);

  test("are written into the rows, by the rule alone", () => {
    expect(variables.map(({ standInFor }) => standInFor)).toEqual([null, "cause", null, null]);
  });

  test("are told with their correlation; who comes near is told apart, who is not correlated not at all", () => {
    expect(diagnostics).toMatchObject([
      { code: "stand-ins", names: ["copy"] },
      { code: "near-stand-ins", names: ["half"] },
    ]);
    const stands = diagnosticOf(diagnostics, "stand-ins")!;
    const near = diagnosticOf(diagnostics, "near-stand-ins")!;
    expect(stands.for).toEqual(["cause"]);
    expect(stands.message).toMatch(/^Stand-ins: copy for cause \(correlation 0\.9\d\)\./);
    expect(near.message).toMatch(/^Close to stand-ins: half for cause \(correlation 0\.\d\d\)\./);
    expect(near.correlations[0]).toBeCloseTo(Math.SQRT1_2, 1);
  });

  test("are not known without direct shares", () => {
    const unknown = given(false);
    expect(withStandIns(unknown, X, owner, cause)).toEqual({ variables: unknown, diagnostics: [] });
  });
});
