import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encode } from "../../src/data/design.ts";
import { fitEncoding } from "../../src/data/fit-encoding.ts";
import { columnBuilder, type Table, table, targetFromColumn } from "../../src/data/index.ts";
import { accuracy, rSquared } from "../../src/evaluate/index.ts";
import { rateOfNetworks } from "../../src/explain/fit/column-rates.ts";
import { directImportance } from "../../src/explain/fit/direct.ts";
import { type Architecture, fit, predict } from "../../src/network/index.ts";
import { fold, keyFromSeed, permutation } from "../../src/random/index.ts";
import { rankDescending } from "../../src/rate/ranking.ts";

/** A CSV file without quotes: these two need no more of a reader. */
function tableIn(name: string): Table {
  const folder = process.env.RATEWISE_DATA;
  if (!folder) throw new Error("set RATEWISE_DATA to the folder with the real data sets");
  const [header, ...lines] = readFileSync(join(folder, "tabular", name), "utf8")
    .trim()
    .split(/\r?\n/);
  const builders = header.split(",").map((column) => columnBuilder(column, name));
  lines.forEach((line, i) => {
    line.split(",").forEach((cell, j) => {
      builders[j].add(cell, i + 2);
    });
  });
  return table(builders.map((builder) => builder.finish()));
}

/** Mean held-out score and mean direct rank of each variable over 5 folds × seeds 1 … 5, recipe `standard`. */
async function crossValidate(name: string) {
  const source = tableIn(name);
  const names = source.columns.map((column) => column.name).filter((column) => column !== "target");
  const { target } = targetFromColumn(source.columns.find((column) => column.name === "target")!);
  const response = target.task === "regression" ? target.values : Float64Array.from(target.labels);
  let score = 0;
  const directRank = new Float64Array(names.length);
  const repeats = 25;
  for (let seed = 1; seed <= 5; seed++) {
    const key = keyFromSeed(seed);
    const order = permutation(fold(key, "folds"), source.rows);
    for (let f = 0; f < 5; f++) {
      const trainRows = order.filter((_, i) => i % 5 !== f);
      const testRows = order.filter((_, i) => i % 5 === f);
      const encoding = fitEncoding(source, names, trainRows);
      const X = encode(encoding, source, trainRows);
      const y = Float64Array.from(trainRows, (row) => response[row]);
      const architecture: Architecture = {
        inputs: X.cols,
        layers: [32, 16].map((units) => ({ kind: "dense", units, activation: "relu" })),
        link: target.task === "regression" ? "identity" : "logistic",
      };
      const { network } = await fit(X, y, { key: fold(key, "fold", f), architecture });
      const { mean } = predict(network, encode(encoding, source, testRows));
      const held = Float64Array.from(testRows, (row) => response[row]);
      score +=
        (target.task === "regression"
          ? rSquared(mean.data, held)
          : accuracy(
              mean.data.map((logit) => (logit > 0 ? 1 : 0)),
              held,
            )) / repeats;
      const groups = names.map((column, j) => ({ name: column, members: [j] }));
      const { noiseVariance } = rateOfNetworks([network], X, y, { columnNames: names, groups });
      const { scores } = await directImportance([network], X, { noiseVariance, groups });
      rankDescending(scores).forEach((rank, j) => {
        directRank[j] += rank / repeats;
      });
    }
  }
  const byDirectRank = [...names].sort(
    (a, b) => directRank[names.indexOf(a)] - directRank[names.indexOf(b)],
  );
  return { score, byDirectRank };
}

describe("the standard recipe on small tables, 5 folds × seeds 1 … 5", () => {
  test("diabetes: mean R² at least 0.42, and bmi, bp and s5 among the five most used", async () => {
    const { score, byDirectRank } = await crossValidate("diabetes.csv");
    console.info(`diabetes: R² ${score.toFixed(4)}, most used ${byDirectRank.slice(0, 5)}`);
    expect(score).toBeGreaterThanOrEqual(0.42);
    expect(byDirectRank.slice(0, 5)).toEqual(expect.arrayContaining(["bmi", "bp", "s5"]));
  });

  test("breast cancer: mean accuracy at least 0.955", async () => {
    const { score } = await crossValidate("breast-cancer.csv");
    console.info(`breast cancer: accuracy ${score.toFixed(4)}`);
    expect(score).toBeGreaterThanOrEqual(0.955);
  });
});
