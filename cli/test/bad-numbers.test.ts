import { writeNpy } from "@ratewise/core/data";
import { describe, test } from "vitest";
import { covarianceOf } from "./support/posterior.ts";
import {
  arrays,
  factor,
  good,
  json,
  mean,
  noise,
  p,
  type Refusal,
  refuses,
} from "./support/refusal.ts";

const covariance = covarianceOf({ names: [], mean, factor, noise });
const npy = (shape: number[], data: Float64Array): Uint8Array => writeNpy({ shape, data });

const cases: Refusal[] = [
  [
    "a factor with too few rows",
    { "a.json": json({ factor: [[1, 2]] }) },
    ["a.json"],
    "a.json: factor: needs 4 rows, as many as mean (in 2 dimensions), got shape (1, 2)",
  ],
  [
    "a factor with ragged rows",
    { "a.json": json({ factor: [[1, 2], [1], [1, 2], [1, 2]] }) },
    ["a.json"],
    "a.json: factor[1]: needs 2 numbers, as in row 0, got 1",
  ],
  [
    "a factor that is a list",
    { "a.json": json({ factor: [1, 2, 3, 4] }) },
    ["a.json"],
    "a.json: factor[0]: needs a row of numbers, got 1",
  ],
  [
    "a mean that is a table",
    { "a.json": json({ mean: [[1], [2]] }) },
    ["a.json"],
    "a.json: mean[0]: needs a number, got a list",
  ],
  [
    "noise of another length in a file of its own, which is named first",
    {
      "m.npy": writeNpy({ shape: [p], data: mean }),
      "f.npy": writeNpy({ shape: [p, 2], data: factor.data }),
      "n.npy": writeNpy({ shape: [2], data: Float64Array.of(1, 1) }),
    },
    ["--mean", "m.npy", "--factor", "f.npy", "--noise", "n.npy"],
    /^ratewise: n\.npy: needs 4 variances, one per variable \(in 1 dimension\), got shape \(2\)/,
  ],
  [
    "noise of another length",
    { "a.json": json({ noise: [1, 1] }) },
    ["a.json"],
    "a.json: noise: needs 4 variances, one per variable (in 1 dimension), got shape (2)",
  ],
  [
    "a covariance that is not square",
    { "a.json": JSON.stringify({ mean: good.mean, covariance: good.factor }) },
    ["a.json"],
    "a.json: covariance: needs 4 rows and 4 columns, as many as mean (in 2 dimensions), got shape (4, 2)",
  ],
  [
    "arrays that disagree",
    { "m.npy": npy([p], mean), "f.npy": npy([2, p], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "f.npy: needs 4 rows, as many as mean (in 2 dimensions), got shape (2, 4)",
  ],
  [
    "an array of three dimensions",
    { "m.npy": npy([p], mean), "f.npy": npy([p, 2, 1], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "got shape (4, 2, 1)",
  ],
  [
    "NaN in a JSON text",
    { "a.json": '{"mean": [1,\n NaN]}' },
    ["a.json"],
    'a.json: needs a value, got "NaN]}" at line 2, column 2',
  ],
  [
    "null where a number should be",
    { "a.json": json({ mean: [1, 2, null, 4] }) },
    ["a.json"],
    "a.json: mean[2]: needs a number, got null",
  ],
  [
    "a number past the doubles",
    { "a.json": json({}).replace(`${good.factor[2][1]}`, "1e999") },
    ["a.json"],
    "a.json: factor[2][1]: needs a finite number, got Infinity",
  ],
  [
    "NaN in an array",
    { "m.npy": npy([p], mean.with(3, Number.NaN)), "f.npy": npy([p, 2], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "m.npy[3]: needs a finite number, got NaN",
  ],
  [
    "infinity in an archive",
    {
      "a.npz": arrays({
        factor: { shape: [p, 2], data: factor.data.with(5, Number.NEGATIVE_INFINITY) },
      }),
    },
    ["a.npz"],
    "a.npz: factor[2][1]: needs a finite number, got -Infinity",
  ],
  [
    "NaN in draws",
    { "d.npy": npy([2, p], factor.data.with(6, Number.NaN)) },
    ["--draws", "d.npy"],
    "d.npy[1][2]: needs a finite number, got NaN",
  ],
  [
    "negative noise",
    { "a.json": json({ noise: [1, 1, -0.5, 1] }) },
    ["a.json"],
    "a.json: noise[2]: needs a variance of at least 0, got -0.5",
  ],
  [
    "an asymmetric covariance",
    {
      "a.json": JSON.stringify({
        mean: good.mean,
        covariance: covariance.map((row, i) => (i === 2 ? row.with(1, row[1] + 0.1) : row)),
      }),
    },
    ["a.json"],
    /a\.json: covariance: .*needs a symmetric covariance, got .* in row 2, column 1/,
  ],
  [
    "an indefinite covariance",
    {
      "a.json": JSON.stringify({
        mean: [1, 2, 3],
        covariance: [
          [1, 0.9, -0.9],
          [0.9, 1, 0.9],
          [-0.9, 0.9, 1],
        ],
      }),
    },
    ["a.json"],
    /a\.json: covariance: .*positive semi-definite/,
  ],
  [
    "a negative variance",
    {
      "a.json": JSON.stringify({
        mean: [1, 2],
        covariance: [
          [1, 0],
          [0, -1],
        ],
      }),
    },
    ["a.json"],
    /a\.json: covariance: .*row 1, column 1/,
  ],
  [
    "a singular covariance under exact",
    { "a.json": JSON.stringify({ mean: good.mean, factor: good.factor }) },
    ["a.json", "--variant", "exact"],
    /a\.json: needs a covariance of full rank for the variant "exact", got rank 2 for 4 variables/,
  ],
  [
    "a singular covariance without a variant",
    { "a.json": JSON.stringify({ mean: good.mean, factor: good.factor }) },
    ["a.json"],
    /noise.*--nugget.*pseudo-inverse/,
  ],
  [
    "no noise under noise",
    { "a.json": JSON.stringify({ mean: good.mean, factor: good.factor }) },
    ["a.json", "--variant", "noise"],
    /a\.json: needs noise variances/,
  ],
  [
    "one variable",
    { "a.json": JSON.stringify({ mean: [1], factor: [[1]], noise: [1] }) },
    ["a.json"],
    "a.json: needs at least 2 variables, because importance is relative to others, got 1",
  ],
  [
    "no variable",
    { "a.json": JSON.stringify({ mean: [], factor: [] }) },
    ["a.json"],
    "a.json: needs at least 2 variables",
  ],
  [
    "one draw",
    { "a.json": JSON.stringify({ draws: [[1, 2, 3]] }) },
    ["a.json"],
    "a.json: draws: needs at least 2 draws, one per row, got 1",
  ],
  [
    "no mean",
    { "a.json": JSON.stringify({ factor: good.factor }) },
    ["a.json"],
    "a.json: needs mean together with factor, got none",
  ],
  [
    "mean alone",
    { "a.json": JSON.stringify({ mean: good.mean }) },
    ["a.json"],
    "a.json: needs one of factor, covariance and draws, got none",
  ],
  [
    "factor and covariance",
    { "a.json": json({ covariance }) },
    ["a.json"],
    "a.json: needs one of factor, covariance and draws, got factor and covariance",
  ],
  [
    "mean beside draws",
    { "a.json": JSON.stringify({ mean: good.mean, draws: [[1], [2]] }) },
    ["a.json"],
    "a.json: give draws or a mean, not both",
  ],
  [
    "noise beside a covariance",
    { "a.json": JSON.stringify({ mean: good.mean, covariance, noise: good.noise }) },
    ["a.json"],
    "a.json: noise: needs a factor, got a covariance",
  ],
];

describe("ratewise rank refuses numbers that cannot be ranked", () => {
  test.each(cases)("%s", refuses);
});
