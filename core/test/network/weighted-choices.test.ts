import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import { weightedMean } from "../../src/linalg/moments.ts";
import { compareScales, smearOf } from "../../src/network/compare-scales.ts";
import { isSkewed, logScaleOf } from "../../src/network/log-scale.ts";
import { roughColumns } from "../../src/network/rough-columns.ts";
import { keyFromSeed, normals, uniforms } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const n = 30;
const next = normals(keyFromSeed(31));
const uniform = uniforms(keyFromSeed(32));
const y = Float64Array.from({ length: n }, () => Math.exp(next()));
const weights = Float64Array.from({ length: n }, () => 0.2 + 3 * uniform());
const all = Uint32Array.from(y, (_, i) => i);

describe("rows count by their weights", () => {
  test("in the skewness, as so many copies would", () => {
    const tail = Float64Array.of(1, 2, 3, 4, 5, 30);
    expect(isSkewed(tail)).toBe(true);
    expect(isSkewed(tail, Float64Array.of(1, 1, 1, 1, 1, 40))).toBe(false);
    const zeros = Float64Array.from({ length: 20 }, (_, i) => (i < 3 ? 0 : Math.exp(i / 4)));
    expect(isSkewed(zeros)).toBe(false);
    expect(
      isSkewed(
        zeros,
        zeros.map((value) => (value === 0 ? 0.1 : 1)),
      ),
    ).toBe(true);
  });

  test("in the errors that choose the scale, and in the factor that takes logarithms back", () => {
    const logScale = logScaleOf(y)!;
    const scale = { centre: 0.3, spread: 2 };
    const splits = [{ trainingRows: all, validationRows: all }];
    const shared = { splits, weights, scale, y };
    // f in the units of training.
    const [asIs, log] = [y, y.map(Math.log)].map((t) =>
      t.map((value) => (value + 0.3 * next() - scale.centre) / scale.spread),
    );
    const learned = (heldBack: Float64Array, own: object) =>
      ({
        form: "linear",
        network: null,
        linear: 1,
        hidden: 0,
        heldBack,
        task: { ...shared, ...own },
      }) as unknown as Parameters<typeof smearOf>[0];
    const [before, after] = [learned(asIs, { logScale: null }), learned(log, { logScale })];
    const found = compareScales(before, after);
    const inUnits = (f: Float64Array) => f.map((value) => scale.centre + scale.spread * value);
    const errors = inUnits(asIs).map((f, i) => (f - y[i]) ** 2 / scale.spread ** 2);
    expectClose([found.asIs], [weightedMean(errors, weights)]);
    expect(Math.abs(found.asIs - weightedMean(errors, null))).toBeGreaterThan(1e-4);
    // Within the range of the rows.
    const middle = inUnits(log).map((f) =>
      Math.min(logScale.largest, Math.max(logScale.smallest, Math.exp(f))),
    );
    const factors = y.map((value, i) => value / middle[i]);
    expectClose([smearOf(after)], [weightedMean(factors, weights)]);
    const others = (i: number) =>
      weightedMean(
        factors.filter((_, k) => k !== i),
        weights.filter((_, k) => k !== i),
      );
    const predicted = middle.map((value, i) =>
      Math.min(logScale.largest, Math.max(logScale.smallest, others(i) * value)),
    );
    const ofLog = predicted.map((value, i) => (value - y[i]) ** 2 / scale.spread ** 2);
    expectClose([found.log], [weightedMean(ofLog, weights)]);
    expectClose([found.gain.mean], [found.asIs - found.log], { rtol: 1e-9 });
  });

  test("in what shows a column to be rough", () => {
    const rows = 1200;
    const X = matrix(rows, 1);
    const r = new Float64Array(rows);
    const heavy = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      X.data[i] = i % 8;
      const saw = (i % 16) - (i % 8) > 0;
      // A saw in every other run of eight rows.
      r[i] = (saw ? (i % 2 === 0 ? 1 : -1) : 0) + next();
      heavy[i] = saw ? 1 : 0.001;
    }
    const places = Uint32Array.from(r, (_, i) => i);
    const leftover = {
      trainingRows: places.slice(0, 900),
      validationRows: places.slice(900),
      training: r.slice(0, 900),
      validation: r.slice(900),
    };
    const gainOf = (counts: Float64Array | null) =>
      roughColumns(X, [0], [leftover], keyFromSeed(1), counts).map(({ gain }) => gain.mean);
    const [plain] = gainOf(null);
    const [weighed] = gainOf(heavy);
    // The saw's variance is 1 where it is, 0.25 is explained where half of the rows have it.
    expect(Math.abs(plain - 0.25)).toBeLessThan(0.15);
    expect(Math.abs(weighed - 1)).toBeLessThan(0.25);
    expect(gainOf(heavy.map((weight) => 1.001 - weight))).toEqual([]);
    expectClose(gainOf(new Float64Array(rows).fill(1)), [plain]);
  });
});
