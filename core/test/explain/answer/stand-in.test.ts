import { describe, expect, test } from "vitest";
import { standIns } from "../../../src/explain/answer/stand-in.ts";
import { keyFromSeed, normals } from "../../../src/random/index.ts";

const n = 2000;
const next = normals(keyFromSeed(1));
const draw = () => Float64Array.from({ length: n }, () => next());
const cause = draw();
const copy = cause.map((value) => value + 0.3 * next());
const other = draw();
const f = cause.map((value, i) => value + other[i]);

function design(...columns: Float64Array[]) {
  const cols = columns.length;
  const data = Float32Array.from(
    { length: n * cols },
    (_, e) => columns[e % cols][Math.floor(e / cols)],
  );
  return { data, rows: n, cols };
}
const partners = (...given: Parameters<typeof standIns>): number[] =>
  standIns(...given).map((found) => (found?.stands ? found.of : -1));
const each = Uint32Array.of(0, 1, 2, 3, 4, 5);

test("a copy with no direct share stands in for its cause, and nothing else does", () => {
  const X = design(cause, copy, other, draw(), draw(), draw());
  const rates = Float64Array.of(0.4, 0.3, 0.3, 0, 0, 0);
  const direct = Float64Array.of(0.6, 0.01, 0.39, 0, 0, 0);
  expect(partners(rates, direct, X, each, f)).toEqual([-1, 0, -1, -1, -1, -1]);
});

test("a variable that is low in both, or used directly, or uncorrelated, stands in for none", () => {
  const X = design(cause, copy, other, draw(), draw(), draw());
  const lowInBoth = partners(
    Float64Array.of(0.6, 0.1, 0.3, 0, 0, 0),
    Float64Array.of(0.6, 0.01, 0.39, 0, 0, 0),
    X,
    each,
    f,
  );
  expect(lowInBoth[1]).toBe(-1);
  const usedDirectly = partners(
    Float64Array.of(0.4, 0.3, 0.3, 0, 0, 0),
    Float64Array.of(0.5, 0.2, 0.3, 0, 0, 0),
    X,
    each,
    f,
  );
  expect(usedDirectly[1]).toBe(-1);
  const uncorrelated = partners(
    Float64Array.of(0.4, 0, 0.3, 0.3, 0, 0),
    Float64Array.of(0.6, 0, 0.39, 0.01, 0, 0),
    X,
    each,
    f,
  );
  expect(uncorrelated[3]).toBe(-1);
});

test("a category stands in through its best column", () => {
  const X = design(cause, draw(), copy, other, draw(), draw());
  const owner = Uint32Array.of(0, 1, 1, 2, 3, 4); // columns 1 and 2 are one category
  const found = partners(
    Float64Array.of(0.4, 0.3, 0.3, 0, 0),
    Float64Array.of(0.6, 0.01, 0.39, 0, 0),
    X,
    owner,
    f,
  );
  expect(found).toEqual([-1, 0, -1, -1, -1]);
});

test("a correlation that a few rows make by chance is none", () => {
  const rows = 42;
  const X = design(cause, copy, other, draw(), draw(), draw());
  const few = { data: X.data.slice(0, rows * 6), rows, cols: 6 };
  const weak = {
    ...few,
    data: few.data.map((value, e) => (e % 6 === 1 ? value * 0.45 + next() : value)),
  };
  const rates = Float64Array.of(0.4, 0.3, 0.3, 0, 0, 0);
  const direct = Float64Array.of(0.6, 0.01, 0.39, 0, 0, 0);
  expect(partners(rates, direct, few, each, f.slice(0, rows))[1]).toBe(0);
  expect(partners(rates, direct, weak, each, f.slice(0, rows))[1]).toBe(-1);
});

describe("correlations", () => {
  const rates = Float64Array.of(0.4, 0.3, 0.3, 0, 0, 0);
  const direct = Float64Array.of(0.6, 0.01, 0.39, 0, 0, 0);
  /** The second column's correlation with the cause is ρ in all but chance. */
  const found = (rho: number, shares = direct) => {
    const noise = draw();
    const column = cause.map((value, i) => rho * value + Math.sqrt(1 - rho * rho) * noise[i]);
    const rest = Array.from({ length: 3 }, draw);
    return standIns(rates, shares, design(cause, column, other, ...rest), each, f)[1];
  };

  test("are told, whatever their sign", () => {
    expect(found(0.9)).toMatchObject({ of: 0, stands: true });
    expect(found(0.9)!.correlation).toBeCloseTo(0.9, 1);
    expect(found(-0.9)!.correlation).toBeCloseTo(0.9, 1);
  });

  test("below a half make no stand-in, and nothing that comes near one", () => {
    expect(found(0.4)).toBeNull();
    const halved = Float64Array.of(0.6, 0.1, 0.3, 0, 0, 0);
    expect(found(0.4, halved)).toBeNull();
    expect(found(0.9, halved)).toMatchObject({ of: 0, stands: false });
  });

  test("with a variable that is used less are none to stand in for", () => {
    const usedMost = Float64Array.of(0.2, 0.24, 0.56, 0, 0, 0);
    expect(
      standIns(
        Float64Array.of(0.1, 0.6, 0.3, 0, 0, 0),
        usedMost,
        design(cause, copy, other, draw(), draw(), draw()),
        each,
        f,
      )[1],
    ).toBeNull();
  });
});
