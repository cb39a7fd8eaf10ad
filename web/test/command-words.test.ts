import { parseArgs as nodeParseArgs } from "node:util";
import { explain } from "ratewise/page";
import { describe, expect, test } from "vitest";
import { compareWords, explainWords, inspectWords, wordsOf } from "../src/command-words.ts";
import { parseArgs } from "../src/node/arguments.ts";
import { noSettings } from "../src/settings.ts";

const table = { ...noSettings, data: "a table.csv", target: "y" };

describe("the words of a command line", () => {
  test("hold nothing that was not chosen", () => {
    expect(explainWords(table)).toEqual(["--target=y", "--engine=plain", "--", "a table.csv"]);
    expect(inspectWords({ ...table, target: "" })).toEqual(["--json", "--", "a table.csv"]);
  });

  test("hold everything that was", () => {
    const words = explainWords({
      ...table,
      exclude: ["-odd name", "a=b"],
      keep: ["id"],
      categories: ["site"],
      groups: { kind: "file", name: "genes.bed", window: "50k" },
      task: "classification",
      missing: "mean",
      recipe: "paper",
      hidden: "8",
      ensemble: "3",
      seed: "7",
      select: "permutation",
      stability: true,
      decimalComma: true,
    });
    expect(words).toEqual([
      "--target=y",
      "--exclude=-odd name",
      "--exclude=a=b",
      "--categories=site",
      "--decimal-comma",
      "--keep=id",
      "--task=classification",
      "--missing=mean",
      "--recipe=paper",
      "--hidden=8",
      "--ensemble=3",
      "--groups=genes.bed",
      "--window=50k",
      "--select=fdr=0.1",
      "--by=permutation",
      "--stability",
      "--seed=7",
      "--engine=plain",
      "--",
      "a table.csv",
    ]);
  });

  test("hold the other models, and covariates", () => {
    const process = { ...table, model: "gp", kernel: "linear", posterior: "swag" } as const;
    expect(explainWords({ ...process, covariates: "age,site" })).toEqual([
      "--target=y",
      "--covariates=age,site",
      "--model=gp",
      "--kernel=linear",
      "--engine=plain",
      "--",
      "a table.csv",
    ]);
    expect(explainWords({ ...process, model: "" })).toContain("--posterior=swag");
  });

  test("name a file of phenotypes only with a trait of it", () => {
    const genotypes = { ...noSettings, data: "g.bed", pheno: "p.tsv" };
    expect(inspectWords(genotypes)).toEqual(["--json", "--", "g.bed"]);
    expect(inspectWords({ ...genotypes, trait: "bmi" })).toContain("--pheno=p.tsv");
  });

  test("take what a person writes to the command, quotes and all", () => {
    const text = `--top 5 --refit --classes "a b,c"  --names='x y.txt' stray --draws=3`;
    const words = [
      "--top=5",
      "--refit",
      "--classes=a b,c",
      "--names=x y.txt",
      "stray",
      "--draws=3",
    ];
    expect(wordsOf(text)).toEqual(words);
    expect(wordsOf("  ")).toEqual([]);
    expect(explainWords({ ...table, more: text })).toEqual([
      "--target=y",
      ...words,
      "--engine=plain",
      "--",
      "a table.csv",
    ]);
  });

  test("of a trained network hold nothing about training", () => {
    const words = explainWords({ ...table, network: "n.onnx", ensemble: "5", select: "knockoffs" });
    expect(words).toEqual(["--model=n.onnx", "--target=y", "--engine=plain", "--", "a table.csv"]);
  });

  test("of a comparison name the methods", () => {
    expect(compareWords(table, ["rate", "linear"])).toContain("--methods=rate,linear");
    expect(compareWords(table, []).join(" ")).not.toContain("methods");
    expect(compareWords(table, [], "10x3")).toContain("--search=10x3");
  });

  test.each([
    [explainWords({ ...table, exclude: ["-x", "b c", "--target"], stability: true })],
    [explainWords({ ...table, data: "--strange.csv", keep: ["", "line\nbreak"] })],
    [["--help", "positional", "--seed=3", "--", "--seed=4"]],
  ])("are read in a page as Node reads them: %j", (words) => {
    const { options } = explain;
    const node = nodeParseArgs({ args: words, options, allowPositionals: true });
    const { positionals, values } = parseArgs({ args: words, options });
    expect(positionals).toEqual(node.positionals);
    expect(values).toEqual({ ...node.values });
  });

  test.each([["--nowhere=1"], ["--stability=yes"], ["--target"]])(
    "that nobody knows are an error as in Node: %s",
    (word) => {
      const { options } = explain;
      expect(() => nodeParseArgs({ args: [word], options })).toThrow();
      expect(() => parseArgs({ args: [word], options })).toThrow("Unknown option");
    },
  );
});
