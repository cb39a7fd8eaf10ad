import { describe, expect, test } from "vitest";
import { matrix } from "../../src/linalg/index.ts";
import { type Architecture, fit, forward } from "../../src/network/index.ts";
import {
  isSkewed,
  logScaleOf,
  meanResponse,
  responseDeviation,
  toLogScale,
} from "../../src/network/log-scale.ts";
import { fold, keyFromSeed, normals } from "../../src/random/index.ts";
import { expectClose } from "../support/close.ts";

const architecture: Architecture = {
  inputs: 3,
  layers: [32, 16].map((units) => ({ kind: "dense", units, activation: "relu" }) as const),
  link: "identity",
};
const key = keyFromSeed(4);

/** n rows of three columns and a response of them. */
function rows(n: number, seed: number, response: (x: Float64Array, e: number) => number) {
  const next = normals(fold(keyFromSeed(seed), "rows"));
  const X = matrix(
    n,
    3,
    Float64Array.from({ length: 3 * n }, () => next()),
  );
  const y = Float64Array.from({ length: n }, (_, i) =>
    response(X.data.subarray(3 * i, 3 * i + 3), next()),
  );
  return { X, y };
}
const logNormal = (x: Float64Array, e: number) => Math.exp(5 + x[0] + 0.5 * x[1] + 0.5 * e);
const gaussian = (x: Float64Array, e: number) => 50 + 3 * x[0] + x[1] + 2 * e;

describe("a log scale", () => {
  test("takes the mean of a log-normal back: e^(f + σ²/2), with the variance of a log-normal", () => {
    const next = normals(keyFromSeed(1));
    const [f, sigma] = [2, 0.6];
    const y = Float64Array.from({ length: 200_000 }, () => Math.exp(f + sigma * next()));
    const scale = logScaleOf(y)!;
    expect(scale.shift).toBe(0);
    const smear = toLogScale(scale, y).reduce((sum, t) => sum + Math.exp(t - f) / y.length, 0);
    const mean = meanResponse({ ...scale, smear }, f);
    expect(Math.abs(mean / Math.exp(f + sigma ** 2 / 2) - 1)).toBeLessThan(0.01);
    const sd = responseDeviation(scale, mean, sigma ** 2);
    const exact = Math.exp(f + sigma ** 2 / 2) * Math.sqrt(Math.exp(sigma ** 2) - 1);
    expect(Math.abs(sd / exact - 1)).toBeLessThan(0.01);
  });

  test("predicts nothing beyond the rows that it was made of, whatever the network says", () => {
    const scale = { ...logScaleOf(Float64Array.of(1, 10, 100))!, smear: 1.3 };
    expect([1e6, 1000, -1e6].map((f) => meanResponse(scale, f))).toEqual([100, 100, 1.3]);
    expect(responseDeviation(scale, 100, 1e6)).toBe(99);
  });

  test("adds to responses of which some are 0, and is not for negative ones or one value", () => {
    const y = Float64Array.of(0, 0, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23);
    const scale = logScaleOf(y)!;
    expect(scale.shift).toBe(5);
    expectClose([...toLogScale(scale, y)].slice(0, 3), [5, 5, 10].map(Math.log), { rtol: 1e-14 });
    // There and back.
    const back = [...toLogScale(scale, y)].map((t) => meanResponse({ ...scale, smear: 1 }, t));
    expectClose(back, [...y], { atol: 1e-9 });
    expect(logScaleOf(Float64Array.of(-1, 2, 3))).toBeNull();
    expect(logScaleOf(Float64Array.of(0, 0, 0))).toBeNull();
    expect(logScaleOf(Float64Array.of(4, 4, 4))).toBeNull();
  });

  test("is for what is skewed to the right, and no heap of zeros", () => {
    const next = normals(keyFromSeed(2));
    const draws = Float64Array.from({ length: 2000 }, () => next());
    expect(isSkewed(draws.map((value) => Math.exp(value)))).toBe(true);
    expect(isSkewed(draws.map((value) => value + 50))).toBe(false);
    expect(isSkewed(draws.map((value) => 100 - Math.exp(value)))).toBe(false);
    expect(isSkewed(draws.map((value, i) => (i % 5 === 0 ? 0 : Math.exp(value))))).toBe(false);
    expect(isSkewed(new Float64Array(5).fill(2))).toBe(false);
  });
});

describe("the scale that held-back rows choose", () => {
  const share = (f: Float64Array, y: Float64Array) => {
    const mean = y.reduce((sum, value) => sum + value / y.length, 0);
    const left = y.reduce((sum, value, i) => sum + (value - f[i]) ** 2, 0);
    return 1 - left / y.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  };

  test("is the logarithm of a log-normal response, which is then predicted better in its own unit", async () => {
    const { X, y } = rows(500, 1, logNormal);
    const fresh = rows(4000, 2, logNormal);
    const { network, logScale, scales, tried } = await fit(X, y, {
      key,
      architecture,
      targetScale: "auto",
    });
    expect(scales!.better).toBe("log");
    expect(scales!.log).toBeLessThan(scales!.asIs);
    expect(tried.filter(({ log, taken }) => taken && !log).length).toBeGreaterThan(0);
    expect(tried.filter(({ taken }) => taken).at(-1)!.log).toBe(true);
    // e^(σ²/2) of the noise, and a little of what is not known of f.
    expect(logScale!.smear).toBeGreaterThan(1.08);
    expect(logScale!.smear).toBeLessThan(1.22);
    const f = forward(network, fresh.X).mean.data.map((value) => meanResponse(logScale!, value));
    const plain = await fit(X, y, { key, architecture });
    expect([plain.logScale, plain.scales]).toEqual([null, null]);
    const before = share(forward(plain.network, fresh.X).mean.data, fresh.y);
    expect(share(f, fresh.y)).toBeGreaterThan(before + 0.02);
  });

  test("is never tried for a Gaussian response, whose network has the same bits", async () => {
    const { X, y } = rows(400, 3, gaussian);
    const may = await fit(X, y, { key, architecture, targetScale: "auto" });
    const plain = await fit(X, y, { key, architecture });
    expect([may.logScale, may.scales]).toEqual([null, null]);
    expect(may.network).toEqual(plain.network);
  });

  test("is the response as it is where that is skewed by a column and not by a product", async () => {
    // A line of a skewed column: its logarithm is bent, and its noise is not.
    const { X, y } = rows(500, 5, (x, e) => 60 + 20 * Math.max(0, x[0]) ** 2 + 2 * e);
    expect(isSkewed(y)).toBe(true);
    const { logScale, scales } = await fit(X, y, { key, architecture, targetScale: "auto" });
    expect(scales!.better).toBe("as-is");
    expect(logScale).toBeNull();
  });

  test("of many rows is chosen by some of them", async () => {
    const { X, y } = rows(21_000, 6, logNormal);
    const small: Architecture = {
      ...architecture,
      layers: [{ kind: "dense", units: 2, activation: "relu" }],
    };
    const changes = { epochs: 2, penalties: [0] };
    const { logScale, scales } = await fit(X, y, {
      key,
      architecture: small,
      changes,
      targetScale: "auto",
    });
    expect([scales!.better, logScale!.kind]).toEqual(["log", "log"]);
  });

  test("may be asked for, if there are logarithms", async () => {
    const { X, y } = rows(200, 7, gaussian);
    const { logScale, scales } = await fit(X, y, { key, architecture, targetScale: "log" });
    expect([logScale!.shift, scales]).toEqual([0, null]);
    await expect(
      fit(
        X,
        y.map((value) => value - 50),
        { key, architecture, targetScale: "log" },
      ),
    ).rejects.toThrow(/needs numbers of at least 0.*targetScale: "as-is"/);
  });
});
