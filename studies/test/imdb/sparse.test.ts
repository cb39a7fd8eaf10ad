import { keyFromSeed, type Matrix, normals } from "@ratewise/core";
import { type SparseMatrix, sparseMatrix } from "@ratewise/core/learners";
import { fit, forward, paperArchitecture } from "@ratewise/core/network";
import { describe, expect, test } from "vitest";
import { chooseSettings } from "../../src/imdb/mimics.ts";
import { distinctPlaces, shuffleWords } from "../../src/imdb/shuffle-words.ts";
import {
  afterSums,
  firstSums,
  moveColumnInPlace,
  sparseNetwork,
} from "../../src/imdb/sparse-network.ts";
import { denseRows, selectSparseRows, sparseColumns } from "../../src/imdb/sparse-rows.ts";
import { applyTfIdf, fitTfIdf } from "../../src/imdb/tf-idf.ts";
import { mimicOf } from "../../src/searched-mimic.ts";

const sparseOf = (rows: readonly (readonly number[])[]): SparseMatrix => {
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    row.forEach((value, j) => {
      if (value === 0) return;
      columns.push(j);
      values.push(value);
    });
    starts.push(values.length);
  }
  return sparseMatrix(
    rows.length,
    rows[0].length,
    Int32Array.from(starts),
    Int32Array.from(columns),
    Float64Array.from(values),
  );
};
const denseOf = (X: SparseMatrix): number[][] => {
  const { data, cols } = denseRows(X);
  return Array.from({ length: X.rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
};

test("TF-IDF is Keras' formula over the standard deviation, and zeros stay zeros", () => {
  const counts = sparseOf([
    [2, 0],
    [1, 0],
    [0, 3],
    [0, 0],
  ]);
  const X = denseOf(applyTfIdf(fitTfIdf(counts), counts));
  // By hand: (1 + log 2)·log(1 + 4/3), log(1 + 4/3), 0, 0, over their standard deviation.
  const idf = Math.log(1 + 4 / 3);
  const column = [(1 + Math.log(2)) * idf, idf, 0, 0];
  const mean = column.reduce((sum, value) => sum + value, 0) / 4;
  const sd = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3);
  column.forEach((value, i) => {
    expect(X[i][0]).toBeCloseTo(value / sd, 6);
  });
  // One entry among four: whatever its size, it is 2 of its standard deviations.
  expect(X.map(([, value]) => value)).toEqual([0, 0, 2, 0]);
});

test("rows and columns of a sparse matrix are those of the dense one", () => {
  const X = sparseOf([
    [1, 0, 2],
    [0, 3, 0],
    [4, 0, 5],
  ]);
  expect(denseOf(selectSparseRows(X, [2, 0, 2]))).toEqual([
    [4, 0, 5],
    [1, 0, 2],
    [4, 0, 5],
  ]);
  const { starts, rows, values } = sparseColumns(X);
  expect([...starts]).toEqual([0, 2, 3, 5]);
  expect([...rows]).toEqual([0, 2, 1, 0, 2]);
  expect([...values]).toEqual([1, 4, 3, 2, 5]);
});

describe("a network of sparse rows", async () => {
  const next = normals(keyFromSeed(3));
  const rows = Array.from({ length: 60 }, (_, i) =>
    Array.from({ length: 8 }, (_, j) => ((i * 7 + j * 3) % 4 === 0 ? 1 + next() ** 2 : 0)),
  );
  const X = sparseOf(rows);
  const y = Float64Array.from(rows, (row) => (row[0] + row[3] > row[5] ? 1 : 0));
  const { network } = await fit(denseRows(X), y, {
    key: keyFromSeed(1),
    architecture: paperArchitecture("text", { inputs: 8, link: "logistic" }),
    recipe: "paper",
    changes: { epochs: 2 },
  });
  const sparse = sparseNetwork(network);
  const close = (a: Matrix, b: Matrix): void => {
    expect(a.data.length).toBe(b.data.length);
    a.data.forEach((value, e) => {
      expect(value).toBeCloseTo(b.data[e], 4);
    });
  };

  test("gives the hidden layer that dense rows give", () => {
    const { hidden, logit } = afterSums(sparse, firstSums(sparse, X));
    const dense = forward(network, denseRows(X));
    close(hidden, dense.hidden);
    expect(logit[7]).toBeCloseTo(dense.mean.data[7], 4);
    expect(Math.max(...hidden.data)).toBeGreaterThan(0.01);
  });

  test("has the sums of the moved entries when a column is shuffled", () => {
    const sums = firstSums(sparse, X);
    const columns = sparseColumns(X);
    const count = columns.starts[4] - columns.starts[3];
    const places = distinctPlaces(keyFromSeed(5), count, X.rows);
    moveColumnInPlace(sums, sparse, columns, 3, places);
    const moved = rows.map((row) => row.map((value, j) => (j === 3 ? 0 : value)));
    places.forEach((place, k) => {
      moved[place][3] = columns.values[columns.starts[3] + k];
    });
    close(sums, firstSums(sparse, sparseOf(moved)));
  });

  test("is right with nothing shuffled, and wrong alike with everything shuffled, whatever the order", async () => {
    const orders = {
      right: Uint32Array.of(0, 3, 5, 1, 2, 4, 6, 7),
      wrong: Uint32Array.of(7, 6, 4, 2, 1, 5, 3, 0),
    };
    // Labels by the network itself, so that only what it uses can matter.
    const { logit } = afterSums(sparse, firstSums(sparse, X));
    const own = logit.map((value) => (value > 0 ? 1 : 0));
    const { counts, curves } = await shuffleWords(sparse, X, own, orders, {
      key: keyFromSeed(2),
      repeats: 3,
      randomOrders: 4,
    });
    expect(counts[0]).toBe(0);
    expect(counts.at(-1)).toBe(8);
    expect(curves.map(({ name }) => name)).toEqual(["right", "wrong", "random"]);
    for (const { scores } of curves) expect(scores[0]).toBe(1);
    // All words shuffled is the same data in the same repeat, whatever the order.
    expect(curves[0].scores.at(-1)).toBeCloseTo(curves[1].scores.at(-1)!, 12);
  });
});

test("places are different rows, in few draws and in many, and follow the key", () => {
  for (const count of [3, 40, 90]) {
    const places = distinctPlaces(keyFromSeed(1), count, 100);
    expect(new Set(places).size).toBe(count);
    expect(Math.max(...places)).toBeLessThan(100);
    expect(distinctPlaces(keyFromSeed(1), count, 100)).toEqual(places);
    expect(distinctPlaces(keyFromSeed(2), count, 100)).not.toEqual(places);
  }
});

test("a mimic takes the settings that predict held-back rows best, and is taught with them", async () => {
  const next = normals(keyFromSeed(6));
  const rows = Array.from({ length: 200 }, (_, i) =>
    Array.from({ length: 5 }, (_, j) => ((i * 5 + j * 7) % 3 === 0 ? 0 : next())),
  );
  const reviews = {
    X: sparseOf(rows),
    probabilities: Float64Array.from(rows, ([a, b]) => (a > 0.2 ? 0.8 : 0.1) + (b > 0 ? 0.1 : 0)),
  };
  const candidates = [{ rounds: 1, rate: 0.01 }, { rounds: 60, maxLeaves: 4 }, { rounds: 2 }];
  const key = keyFromSeed(1);
  const { settings, searched } = await chooseSettings({
    ...{ key, method: "boosting", candidates, on: reviews, folds: 2 },
  });
  expect(settings).toEqual(candidates[1]);
  expect(searched).toHaveLength(3);
  expect(searched[1]).toBeGreaterThan(0.8);
  expect(searched[0]).toBeLessThan(0.2);
  const mimic = await mimicOf("boosting", reviews, reviews, settings, key, {});
  expect(mimic.heldOut).toBeGreaterThan(searched[1]);
  expect(mimic.order[0]).toBe(0);
  expect(mimic.unused).toBe(mimic.scores.filter((score) => score === 0).length);
});
