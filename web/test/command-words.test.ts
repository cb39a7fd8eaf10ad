import { parseArgs as nodeParseArgs } from "node:util";
import { optionsOf, parsedOptions } from "ratewise/options";
import { describe, expect, test } from "vitest";
import { compareWords, explainWords, inspectWords } from "../src/command-words.ts";
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
      options: {
        missing: "mean",
        recipe: "paper",
        hidden: "8",
        ensemble: "3",
        seed: "7",
        select: "fdr=0.1",
        by: "permutation",
        stability: true,
        top: "5",
        "decimal-comma": true,
      },
    });
    expect(words).toEqual([
      "--target=y",
      "--decimal-comma",
      "--categories=site",
      "--task=classification",
      "--recipe=paper",
      "--hidden=8",
      "--ensemble=3",
      "--missing=mean",
      "--exclude=-odd name",
      "--exclude=a=b",
      "--keep=id",
      "--groups=genes.bed",
      "--window=50k",
      "--select=fdr=0.1",
      "--by=permutation",
      "--stability",
      "--top=5",
      "--seed=7",
      "--engine=plain",
      "--",
      "a table.csv",
    ]);
  });

  test("hold the other models, and covariates", () => {
    const options = { covariates: "age,site", model: "gp", kernel: "linear", posterior: "swag" };
    expect(explainWords({ ...table, options })).toEqual([
      "--target=y",
      "--covariates=age,site",
      "--model=gp",
      "--kernel=linear",
      "--engine=plain",
      "--",
      "a table.csv",
    ]);
    const network = explainWords({ ...table, options: { ...options, model: "" } });
    expect(network).toContain("--posterior=swag");
    expect(network).not.toContain("--kernel=linear");
  });

  test("hold no option whose case has gone since it was chosen", () => {
    const options = { top: "5", by: "permutation", refit: true, copies: "permuted" };
    expect(explainWords({ ...table, options })).toEqual(explainWords(table));
    const selecting = explainWords({ ...table, options: { ...options, select: "fdr=0.2" } });
    expect(selecting).toEqual(expect.arrayContaining(["--by=permutation", "--refit"]));
    expect(selecting).not.toContain("--copies=permuted");
  });

  test("name a file of phenotypes only with a trait of it", () => {
    const genotypes = { ...noSettings, data: "g.bed", pheno: "p.tsv" };
    expect(inspectWords(genotypes)).toEqual(["--json", "--", "g.bed"]);
    expect(inspectWords({ ...genotypes, trait: "bmi" })).toContain("--pheno=p.tsv");
  });

  test("of a trained network hold nothing about training", () => {
    const options = {
      ensemble: "5",
      select: "fdr=0.1",
      model: "gp",
      missing: "mean",
      link: "softmax",
    };
    expect(explainWords({ ...table, network: "n.onnx", options })).toEqual([
      "--target=y",
      "--model=n.onnx",
      "--link=softmax",
      "--engine=plain",
      "--",
      "a table.csv",
    ]);
    expect(explainWords({ ...table, options })).not.toContain("--link=softmax");
  });

  test("of a comparison name the methods, and leave out what only explain takes", () => {
    const options = { model: "gp", stability: true, ensemble: "3" };
    const words = ["--target=y", "--ensemble=3", "--engine=plain", "--", "a table.csv"];
    expect(compareWords({ ...table, options }, [])).toEqual(words);
    expect(compareWords(table, ["rate", "linear"])).toContain("--methods=rate,linear");
    expect(compareWords(table, []).join(" ")).not.toContain("methods");
    expect(compareWords(table, [], "10x3")).toContain("--search=10x3");
  });

  test.each([
    [explainWords({ ...table, exclude: ["-x", "b c", "--target"], options: { stability: true } })],
    [explainWords({ ...table, data: "--strange.csv", keep: ["", "line\nbreak"] })],
    [["--help", "positional", "--seed=3", "--", "--seed=4"]],
  ])("are read in a page as Node reads them: %j", (words) => {
    const options = parsedOptions(optionsOf("explain"));
    const node = nodeParseArgs({ args: words, options, allowPositionals: true });
    const { positionals, values } = parseArgs({ args: words, options });
    expect(positionals).toEqual(node.positionals);
    expect(values).toEqual({ ...node.values });
  });

  test.each([["--nowhere=1"], ["--stability=yes"], ["--target"]])(
    "that nobody knows are an error as in Node: %s",
    (word) => {
      const options = parsedOptions(optionsOf("explain"));
      expect(() => nodeParseArgs({ args: [word], options })).toThrow();
      expect(() => parseArgs({ args: [word], options })).toThrow("Unknown option");
    },
  );
});
