import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode } from "../../src/data/design.ts";
import { expandEncoding, variableOfColumn } from "../../src/data/encoding.ts";
import {
  expandColumns,
  fitExpansion,
  placeAmong,
  withExpansions,
} from "../../src/data/expansion.ts";
import { fitEncoding } from "../../src/data/fit-encoding.ts";
import { table } from "../../src/data/index.ts";
import { keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const knotsOf = fc
  .uniqueArray(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 12 })
  .map((values) => values.sort((a, b) => a - b));

describe("the place of a value among knots", () => {
  test("is the knot's number at a knot, and in proportion between two", () => {
    expect([1, 3, 7].map((knot) => placeAmong([1, 3, 7], knot))).toEqual([0, 1, 2]);
    expect(placeAmong([1, 3, 7], 4)).toBe(1.25);
    expect(placeAmong([1, 3, 7], -5)).toBe(0);
    expect(placeAmong([1, 3, 7], 99)).toBe(2);
  });

  test("gives back the value where it is read as a height", () => {
    fc.assert(
      fc.property(knotsOf, fc.double({ min: 0, max: 1, noNaN: true }), (knots, share) => {
        const value = knots[0] + share * (knots[knots.length - 1] - knots[0]);
        const place = placeAmong(knots, value);
        const back = knots.reduce(
          (sum, knot, k) => sum + knot * Math.max(0, 1 - Math.abs(place - k)),
          0,
        );
        expect(back).toBeCloseTo(value, 9);
      }),
      { seed: 1 },
    );
  });
});

describe("expanded columns", () => {
  const next = normals(keyFromSeed(1));
  const X = {
    data: Float32Array.from({ length: 200 * 2 }, (_, e) => (e % 2 ? next() : (e / 2) % 7)),
    rows: 200,
    cols: 2,
  };
  const knots = [0, 1, 2, 3, 4, 5, 6];
  const expansion = fitExpansion(X, { kind: "values", column: 0, first: 2, knots });
  const wider = expandColumns(X, [expansion]);

  test("follow those that were there, and are indicators where each value has a knot", () => {
    expect(wider.cols).toBe(9);
    for (let i = 0; i < X.rows; i++) {
      expect(wider.data.subarray(i * 9, i * 9 + 2)).toEqual(X.data.subarray(i * 2, i * 2 + 2));
      const hats = knots.map(
        (_, k) => wider.data[i * 9 + 2 + k] * expansion.scale + expansion.means[k],
      );
      expectClose(
        hats,
        knots.map((knot) => (knot === X.data[i * 2] ? 1 : 0)),
        { atol: 1e-6 },
      );
    }
  });

  test("are centred, of variance 1 on average", () => {
    let variance = 0;
    for (let k = 0; k < knots.length; k++) {
      const values = Array.from({ length: X.rows }, (_, i) => wider.data[i * 9 + 2 + k]);
      expect(Math.abs(values.reduce((a, b) => a + b, 0)) / X.rows).toBeLessThan(1e-6);
      variance += values.reduce((sum, value) => sum + value * value, 0) / X.rows / knots.length;
    }
    expect(variance).toBeCloseTo(1, 5);
  });

  test("belong to the variable that they are made of", () => {
    expect(withExpansions([0], [expansion])).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
    expect(withExpansions([1], [expansion])).toEqual([1]);
  });

  test("are the same bits when a table is encoded anew; without expansions nothing changes", () => {
    const source = table([
      { name: "hour", kind: "number", values: Float64Array.from({ length: 60 }, (_, i) => i % 6) },
      { name: "x", kind: "number", values: Float64Array.from({ length: 60 }, () => next()) },
    ]);
    const rows = Uint32Array.from({ length: 60 }, (_, i) => i);
    const encoding = fitEncoding(source, ["x", "hour"], rows);
    const plain = encode(encoding, source, rows);
    const own = [...new Set(Array.from(rows, (i) => plain.data[i * 2 + 1]))].sort((a, b) => a - b);
    const hours = fitExpansion(plain, { kind: "values", column: 1, first: 2, knots: own });
    const wide = expandEncoding(encoding, [hours]);
    expect(wide.width).toBe(8);
    expect([...variableOfColumn(wide)]).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
    expect(encode(wide, source, rows)).toEqual(expandColumns(plain, [hours]));
    expect(expandEncoding(encoding, [])).toBe(encoding);
    expect(expandColumns(plain, [])).toBe(plain);
  });
});
