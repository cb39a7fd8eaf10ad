import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import { readNpy, writeBundle, writeNpy } from "@ratewise/core/data";
import { type Network, paperArchitecture } from "@ratewise/core/network";
import { beforeAll, describe, expect, test } from "vitest";
import { expectClose } from "../../core/test/support/close.ts";
import type { SaliencyDocument } from "../src/output/saliency-text.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);
const ROWS = 6;
const X = Float64Array.from({ length: 3 * ROWS }, normals(fold(keyFromSeed(2), "X"))).map(
  (x, e) => [100, 5, 0][e % 3] + [30, 1, 2][e % 3] * x,
);
const table = (name: string, rows: Float64Array, header = "a,b,c") =>
  writeFileSync(
    file(name),
    `${header}\n${Array.from({ length: rows.length / 3 }, (_, i) => [...rows.slice(3 * i, 3 * i + 3)].join(",")).join("\n")}\n`,
  );

/** Two models on three numbers of very different units, and one with a category. */
beforeAll(async () => {
  const next = normals(fold(keyFromSeed(1), "table"));
  const rows = Array.from({ length: 300 }, () => {
    const [a, b, c] = [100 + 30 * next(), 5 + next(), 2 * next()];
    const hue = next();
    const colour = hue > 1 ? "blue" : hue > 0 ? "green" : "red";
    const y = 0.02 * a + b * c + (colour === "red" ? 3 : 0) + 0.3 * next();
    return [a, b, c, colour, y, y > 2 ? "high" : y > 0 ? "middle" : "low"].join(",");
  });
  writeFileSync(file("data.csv"), `a,b,c,colour,y,label\n${rows.join("\n")}\n`);
  const explain = async (folder: string, ...argv: string[]) => {
    const { code, err } = await run(["explain", file("data.csv"), "--out", file(folder), ...argv]);
    expect([code, err]).toEqual([0, expect.not.stringContaining("ratewise: explain")]);
  };
  const small = ["--hidden", "16,8", "--recipe", "paper"];
  await explain("numbers", "--target", "y", "--exclude", "colour", "--exclude", "label", ...small);
  await explain("classes", "--target", "label", "--exclude", "colour", "--exclude", "y", ...small);
  await explain("category", "--target", "y", "--exclude", "label", "--exclude", "c", ...small);
  // A log-normal target, which the logarithm suits.
  const incomes = Array.from({ length: 400 }, () => {
    const [a, b] = [next(), next()];
    return [a, b, Math.exp(2 + a + 0.3 * next())].join(",");
  });
  writeFileSync(file("incomes.csv"), `a,b,income\n${incomes.join("\n")}\n`);
  writeFileSync(file("X.npy"), writeNpy({ data: X, shape: [ROWS, 3] }));
}, 120_000);

const model = (name: string) => ["--model", file(`${name}/model.ratewise`)];
const saliency = (...argv: string[]) => run(["saliency", ...argv]);

async function attributions(name: string, ...argv: string[]): Promise<Float64Array> {
  const { code, err } = await saliency(
    file("X.npy"),
    ...model(name),
    ...argv,
    "--out",
    file("a.npy"),
  );
  expect([code, err]).toEqual([0, expect.stringContaining("wrote")]);
  const { data, shape } = readNpy(readFileSync(file("a.npy")));
  expect([shape, data]).toEqual([[ROWS, 3], expect.any(Float64Array)]);
  return data as Float64Array;
}

async function predictions(rows: Float64Array): Promise<number[]> {
  table("new.csv", rows);
  const { out } = await run(["predict", file("new.csv"), ...model("numbers"), "--json"]);
  return JSON.parse(out).rows.map((row: { mean: number }) => row.mean);
}

describe("ratewise saliency", () => {
  test("the gradient is in the table's units: the slope of what predict prints", async () => {
    const gradient = await attributions("numbers", "--method", "gradient");
    for (const [j, step] of [0.3, 0.01, 0.02].entries()) {
      const moved = (sign: number) =>
        predictions(X.map((x, e) => (e % 3 === j ? x + sign * step : x)));
      const [above, below] = [await moved(1), await moved(-1)];
      const slopes = above.map((f, i) => (f - below[i]) / (2 * step));
      const own = slopes.map((_, i) => gradient[3 * i + j]);
      // ReLU networks are straight but for kinks, and predict works in single precision.
      const close = own.filter(
        (d, i) => Math.abs(d - slopes[i]) <= 2e-3 * Math.abs(slopes[i]) + 1e-4,
      );
      expect(close.length).toBeGreaterThanOrEqual(ROWS - 1);
    }
  });

  test("integrated gradients add up to the change of the prediction from a row of zeros, or of means", async () => {
    const mean = [0, 1, 2].map(
      (j) => Array.from({ length: ROWS }, (_, i) => X[3 * i + j]).reduce((s, x) => s + x) / ROWS,
    );
    for (const [baseline, start] of [
      ["zero", [0, 0, 0]],
      ["mean", mean],
    ] as const) {
      const values = await attributions(
        "numbers",
        ...["--method", "integrated-gradients", "--baseline", baseline, "--steps", "2000"],
      );
      const [from] = await predictions(Float64Array.from(start));
      const to = await predictions(X);
      const sums = to.map((_, i) => values.slice(3 * i, 3 * i + 3).reduce((s, x) => s + x));
      expectClose(
        sums,
        to.map((f) => f - from),
        { rtol: 2e-3, atol: 2e-3 },
      );
    }
  });

  test("gradient × input and relevance are their library functions' and differ", async () => {
    const gradient = await attributions("numbers", "--method", "gradient");
    const product = await attributions("numbers", "--method", "gradient-x-input");
    expectClose(
      product,
      gradient.map((d, e) => d * X[e]),
    );
    const relevance = await attributions("numbers", "--method", "lrp");
    const rough = await attributions("numbers", "--method", "lrp", "--epsilon", "0.5");
    expect(relevance.every(Number.isFinite)).toBe(true);
    expect(relevance).not.toEqual(rough);
    expect(relevance).not.toEqual(product);
  });

  test("classes: by name or number, probabilities' slopes add up to zero", async () => {
    const method = ["--method", "gradient"];
    const names = ["high", "low", "middle"];
    const one = await attributions("classes", ...method, "--class", "middle");
    const index = await saliency(
      file("X.npy"),
      ...model("classes"),
      ...method,
      "--class",
      "1",
      "--json",
    );
    const named = JSON.parse(index.out).class as string;
    expect(names).toContain(named);
    expect(await attributions("classes", ...method, "--class", named)).toEqual(
      await attributions("classes", ...method, "--class", "1"),
    );
    expect(one.some((d) => d !== 0)).toBe(true);
    const slopes = await Promise.resolve(
      names.reduce(
        async (list, name) => [
          ...(await list),
          await attributions("classes", ...method, "--of", "probability", "--class", name),
        ],
        Promise.resolve([] as Float64Array[]),
      ),
    );
    expectClose(
      slopes[0].map((d, e) => d + slopes[1][e] + slopes[2][e]),
      new Float64Array(3 * ROWS),
      { atol: 1e-12 },
    );
  });

  test("prints the columns by mean absolute value, and the same as JSON", async () => {
    const { out, code } = await saliency(
      file("X.npy"),
      ...model("numbers"),
      "--method",
      "gradient",
    );
    expect(code).toBe(0);
    const json = await saliency(
      file("X.npy"),
      ...model("numbers"),
      "--method",
      "gradient",
      "--json",
    );
    const document: SaliencyDocument = JSON.parse(json.out);
    const gradient = await attributions("numbers", "--method", "gradient");
    const means = [0, 1, 2].map(
      (j) => gradient.reduce((s, d, e) => s + (e % 3 === j ? Math.abs(d) : 0), 0) / ROWS,
    );
    expect(document).toMatchObject({ kind: "saliency", method: "gradient", of: "logit", rows: 6 });
    expect(document.variables.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expectClose(
      document.variables.map(({ meanAbsolute }) => meanAbsolute),
      means,
      { rtol: 1e-12 },
    );
    const order = [0, 1, 2].sort((i, j) => means[j] - means[i]);
    expect(order.map((j) => document.variables[j].rank)).toEqual([1, 2, 3]);
    const names = out
      .split("\n")
      .slice(3, 6)
      .map((line) => line.trim().split(/ +/)[1]);
    expect(out).toContain(
      "Gradient of the prediction at 6 rows: mean of absolute values\n\nrank  column  mean\n",
    );
    expect(names).toEqual(order.map((j) => ["a", "b", "c"][j]));
    expect(document.dataHash).toMatch(/^sha256:/);
  });

  test("takes a table with a category, a column a level, and writes CSV", async () => {
    writeFileSync(file("new.csv"), "colour,b,a\nred,5,100\n,4,\ngreen,6,90\n");
    const { code, err } = await saliency(
      ...[file("new.csv"), ...model("category"), "--method", "gradient-x-input"],
      ...["--out", file("a.csv")],
    );
    expect([code, err]).toEqual([0, expect.stringContaining("wrote")]);
    const [header, first] = readFileSync(file("a.csv"), "utf8").trim().split("\n");
    expect(header.split(",").sort()).toEqual([
      ...["a", "b", "colour=blue", "colour=green", "colour=red"],
    ]);
    const at = (name: string) => Number(first.split(",")[header.split(",").indexOf(name)]);
    expect(at("colour=green")).toBe(0);
    expect(at("colour=red")).not.toBe(0);
  });

  test("takes a network by itself", async () => {
    const image = { height: 6, width: 6, channels: 1 };
    const architecture = paperArchitecture("images", { image, link: "logistic" });
    const next = normals(keyFromSeed(5));
    const size = (25 + 1) * 32 + (128 + 1) * 256 + (256 + 1) * 128 + 2 * 128 + 1;
    const network: Network = {
      kind: "network",
      architecture,
      parameters: Float32Array.from({ length: size }, () => 0.1 * next()),
    };
    writeFileSync(file("net.ratewise"), writeBundle(network));
    const data = Float32Array.from({ length: 2 * 36 }, next);
    writeFileSync(file("images.npy"), writeNpy({ data, shape: [2, 36] }));
    const argv = [file("images.npy"), "--model", file("net.ratewise"), "--method", "lrp"];
    const { code, out } = await saliency(...argv, "--of", "probability");
    expect(code).toBe(0);
    expect(out).toContain("Relevance (ε-LRP) of the probability at 2 rows");
    const refused = await saliency(file("data.csv"), ...argv.slice(1));
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("needs an array, X.npy"),
    ]);
  });
});

describe("ratewise saliency refuses", () => {
  const refusal = async (exit: number, message: string, ...argv: string[]) => {
    const { code, out, err } = await saliency(...argv);
    expect([code, out]).toEqual([exit, ""]);
    expect(err).toContain(message);
    expect(err.trim().split("\n").length).toBe(1);
  };
  const numbers = () => [file("X.npy"), ...model("numbers")];
  const gradient = ["--method", "gradient"];

  test("command lines that cannot be", async () => {
    await refusal(2, "needs one array or table, got none", ...model("numbers"), ...gradient);
    await refusal(2, "needs --model", file("X.npy"), ...gradient);
    await refusal(2, "needs --method <name>", ...numbers());
    await refusal(
      2,
      "--method needs gradient, gradient-x-input",
      ...numbers(),
      "--method",
      "gradients",
    );
    await refusal(2, "--of needs logit or probability", ...numbers(), ...gradient, "--of", "odds");
    await refusal(
      2,
      "--steps applies to --method integrated-gradients only",
      ...numbers(),
      ...gradient,
      "--steps",
      "3",
    );
    await refusal(
      2,
      "--steps needs a whole number",
      ...numbers(),
      "--method",
      "integrated-gradients",
      "--steps",
      "0",
    );
    await refusal(
      2,
      "--epsilon needs a number above 0",
      ...numbers(),
      "--method",
      "lrp",
      "--epsilon",
      "x",
    );
    await refusal(2, "ends in .npy or .csv", ...numbers(), ...gradient, "--out", file("a.txt"));
    await refusal(2, "would overwrite", ...numbers(), ...gradient, "--out", file("X.npy"));
    await refusal(2, "--class needs a classification", ...numbers(), ...gradient, "--class", "1");
    await refusal(
      2,
      '--class needs high or low or middle, or a number from 0 to 2, got "hig"; did you mean "high"?',
      ...[file("X.npy"), ...model("classes"), ...gradient, "--class", "hig"],
    );
  });

  test("data that do not fit the model", async () => {
    writeFileSync(file("flat.npy"), writeNpy({ data: X, shape: [3 * ROWS] }));
    writeFileSync(file("two.npy"), writeNpy({ data: X, shape: [9, 2] }));
    writeFileSync(
      file("hole.npy"),
      writeNpy({ data: X.map((x, e) => (e === 4 ? Number.NaN : x)), shape: [6, 3] }),
    );
    await refusal(
      1,
      "needs numbers in rows and columns, got shape (18)",
      file("flat.npy"),
      ...model("numbers"),
      ...gradient,
    );
    await refusal(
      1,
      "needs 3 columns (a, b, c), got 2",
      file("two.npy"),
      ...model("numbers"),
      ...gradient,
    );
    await refusal(
      1,
      "needs finite inputs, got NaN in row 1, column 1",
      file("hole.npy"),
      ...model("numbers"),
      ...gradient,
    );
    await refusal(
      1,
      "needs classes for a probability",
      ...numbers(),
      ...gradient,
      "--of",
      "probability",
    );
    writeFileSync(file("other.ratewise"), writeBundle({ kind: "something" }));
    await refusal(
      1,
      "does not hold a network",
      file("X.npy"),
      "--model",
      file("other.ratewise"),
      ...gradient,
    );
  });
});

describe("what the ranks of a saliency hide is said", () => {
  const codes = async (...argv: string[]): Promise<string[]> => {
    const { out } = await saliency(file("X.npy"), ...model("numbers"), ...argv, "--json");
    const { diagnostics } = JSON.parse(out) as SaliencyDocument;
    return diagnostics.map(({ code }) => code);
  };

  test("gradients in the units of their columns, and a zero that no row is near", async () => {
    expect(await codes("--method", "gradient")).toEqual(["gradient-units"]);
    const integrated = ["--method", "integrated-gradients", "--steps", "8"];
    expect(await codes(...integrated)).toEqual(["zero-outside-the-data"]);
    expect(await codes("--method", "gradient-x-input")).toEqual(["zero-outside-the-data"]);
    expect(await codes(...integrated, "--baseline", "mean")).toEqual([]);
    expect(await codes("--method", "lrp")).toEqual([]);
  });

  test("on the screen, and on stderr where the answer goes to a file", async () => {
    const argv = [file("X.npy"), ...model("numbers"), "--method", "gradient-x-input"];
    const { out } = await saliency(...argv);
    expect(out.replace(/\s+/g, " ")).toMatch(
      /To keep in mind: - Gradient × input measures from zero.*outside the given rows in 2 columns \(a: [\d.]+ to [\d.]+, b: [\d.]+ to [\d.]+\); integrated-gradients with --baseline mean/,
    );
    const { err } = await saliency(...argv, "--out", file("a.npy"));
    expect(err).toContain("ratewise: note: Gradient × input measures from zero");
  });
});

test("of a model that learned a logarithm is about that, and says so", async () => {
  const out = ["--out", file("incomes"), "--hidden", "8", "--json"];
  const asked = [file("incomes.csv"), "--target", "income", ...out];
  const { code, out: json } = await run(["explain", ...asked]);
  expect([code, JSON.parse(json).model.targetScale.kind]).toEqual([0, "log"]);
  const ig = ["--method", "integrated-gradients", "--json"];
  const found = await saliency(file("incomes.csv"), ...model("incomes"), ...ig);
  const document: SaliencyDocument = JSON.parse(found.out);
  expect(document.diagnostics.map(({ message }) => message)).toContain(
    "The network learned log(income). Gradients and contributions are about that, and contributions add up on its scale.",
  );
  const shap = await run(["explain", ...asked.slice(0, 3), "--hidden", "8", "--format", "shap"]);
  expect(JSON.parse(shap.out).output_names).toBe("log(income)");
  // As it is, where that was asked for: nothing of the kind is said.
  const plain = [...asked.slice(0, 3), "--hidden", "8", "--target-scale", "as-is"];
  const { out: text } = await run(["explain", ...plain, "--json"]);
  expect(JSON.parse(text).model.targetScale).toMatchObject({ kind: "as-is", tried: null });
  expect(JSON.parse(text).options.targetScale).toBe("as-is");
}, 60_000);
