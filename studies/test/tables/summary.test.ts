import { expect, test } from "vitest";
import { correctedInterval } from "../../src/tables/corrected-interval.ts";
import {
  type Beside,
  besidePeers,
  cutRows,
  isBelow,
  isNear,
  isSurelyBelow,
} from "../../src/tables/summary.ts";
import { madeEntry, madeOurs, madePeers } from "./made-results.ts";

test("the best of the others is that with the best mean, and splits are paired with it", () => {
  const entry = madeEntry("cars", { rows: 10 });
  const [beside, ...more] = besidePeers(
    [entry],
    [madeOurs("cars", 2, 0.6, { taskGuessed: false }), madeOurs("cars", 1, 0.7)],
    // The MLP is best once, boosting on average.
    [...madePeers("cars", 1, [0.1, 0.5, 0.9]), ...madePeers("cars", 2, [0.2, 0.7, 0.1])],
    1,
  );
  expect(more).toEqual([]);
  expect(beside).toMatchObject({ entry, members: 1, splits: 2, best: "boosting", logLoss: null });
  expect(beside.ours).toBeCloseTo(0.65, 12);
  expect(beside.peers.linear).toBeCloseTo(0.15, 12);
  expect(beside.peers.boosting).toBeCloseTo(0.6, 12);
  expect(beside.peers.mlp).toBeCloseTo(0.5, 12);
  const { mean, half } = correctedInterval([0.2, -0.1], { train: 7, test: 3 });
  expect(beside.mean).toBeCloseTo(mean, 12);
  expect(beside.half).toBeCloseTo(half, 12);
  expect(beside.seconds).toBe(1.5);
  expect(beside.taskGuessed).toBe(false); // one split of two was not taken for what it is
});

test("only splits that all have count, of this very file, with all rows and so many networks", () => {
  const three = [0.1, 0.2, 0.3];
  const ours = [
    madeOurs("cars", 1, 0.5),
    madeOurs("cars", 2, 0.9), // no MLP there
    madeOurs("cars", 3, 0.9, { sha256: "of another file" }),
    madeOurs("cars", 4, 0.9, { cut: 30 }),
    madeOurs("cars", 5, 0.9, { members: 5 }),
  ];
  const peers = [
    ...madePeers("cars", 1, three),
    ...madePeers("cars", 2, three.slice(0, 2)),
    ...[3, 4, 5].flatMap((seed) => madePeers("cars", seed, three)),
    ...madePeers("cars", 1, [9, 9, 9], { cut: 30 }),
    ...madePeers("cars", 1, [9, 9, 9], { sha256: "of another file" }),
  ];
  const manifest = [madeEntry("never measured"), madeEntry("cars")];
  const [one, ...more] = besidePeers(manifest, ours, peers, 1);
  expect(more).toEqual([]);
  expect(one).toMatchObject({ splits: 1, ours: 0.5, best: "mlp", half: Number.NaN });
  expect(one.mean).toBeCloseTo(0.2, 12);
  expect(besidePeers(manifest, ours, peers, 5)).toMatchObject([{ splits: 1, ours: 0.9 }]);
  expect(besidePeers(manifest, ours, peers, 2)).toEqual([]);
});

test("for classes the log loss stands beside that of the best by accuracy", () => {
  const peers = madePeers("iris", 1, [0.9, 0.5, 0.5]).map((row, k) => ({ ...row, logLoss: k + 1 }));
  const ours = [madeOurs("iris", 1, 0.8, { logLoss: 0.25 })];
  const entry = madeEntry("iris", { task: "classification", classes: 3 });
  const [beside] = besidePeers([entry], ours, peers, 1);
  expect(beside.logLoss).toEqual({ ours: 0.25, best: 1 });
});

const differing = (mean: number, half: number, rows: number, splits = 20): Beside => {
  const entry = madeEntry("some", { rows });
  const [row] = besidePeers([entry], [madeOurs("some", 1, 0)], madePeers("some", 1, [0, 0, 0]), 1);
  return { ...row, mean, half, splits };
};

test("near is within 0.01 or above, below more than 0.03", () => {
  const means = [0.2, 0, -0.0099, -0.0101, -0.0299, -0.0301];
  const rows = means.map((mean) => differing(mean, 0.5, 5000, 5));
  expect(rows.map(isNear)).toEqual([true, true, true, false, false, false]);
  expect(rows.map(isBelow)).toEqual([false, false, false, false, false, true]);
});

test("small tables are surely below when their whole interval is, larger ones by their mean", () => {
  const sure = (...parts: Parameters<typeof differing>): boolean =>
    isSurelyBelow(differing(...parts));
  expect(sure(-0.05, 0.019, 999)).toBe(true);
  expect(sure(-0.05, 0.021, 999)).toBe(false);
  expect(sure(-0.05, 0.021, 1000, 5)).toBe(true);
  expect(sure(-0.02, 0.001, 1000, 5)).toBe(false);
  expect(sure(-0.05, Number.NaN, 999, 1)).toBe(true); // nothing but the mean to go by
});

test("cut rows stand beside ridge or logistic regression on the same splits", () => {
  const cut = (seed: number, score: number, rows: number, members = 1) =>
    madeOurs("cars", seed, score, { cut: rows, members });
  const linear = (seed: number, score: number, rows: number | null) =>
    madePeers("cars", seed, [score, 9, 9], { cut: rows });
  const ours = [
    ...[cut(1, 0.2, 30), cut(2, 0.4, 30), cut(1, 0.6, 60), cut(3, 0.9, 30), cut(1, 0.8, 60, 5)],
    ...[madeOurs("cars", 1, 0.99), cut(1, 0.9, 120)],
    madeOurs("cars", 2, 0.9, { cut: 60, sha256: "of another file" }),
  ];
  const peers = [
    ...[
      ...linear(1, 0.1, 30),
      ...linear(2, 0.2, 30),
      ...linear(1, 0.5, 60),
      ...linear(1, 0.7, null),
    ],
    ...madePeers("cars", 3, [0.3], { cut: 30, sha256: "of another file" }),
  ];
  const [thirty, sixty, ...more] = cutRows([madeEntry("cars")], ours, peers, 1);
  expect(more).toEqual([]); // of 120 rows there is no other model
  expect(thirty).toMatchObject({ table: "cars", cut: 30, members: 1, splits: 2 });
  expect(thirty.ours).toBeCloseTo(0.3, 12);
  expect(thirty.linear).toBeCloseTo(0.15, 12);
  expect(sixty).toMatchObject({ cut: 60, splits: 1, ours: 0.6, linear: 0.5 });
  expect(cutRows([madeEntry("cars")], ours, peers, 5)).toMatchObject([{ cut: 60, ours: 0.8 }]);
});
