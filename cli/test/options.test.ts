import { describe, expect, test } from "vitest";
import { type CaseName, cases } from "../src/options/cases.ts";
import { layoutHelp } from "../src/options/help-layout.ts";
import { optionsHelp } from "../src/options/help-lines.ts";
import { flag } from "../src/options/kinds.ts";
import { commandNames } from "../src/options/option.ts";
import { optionsOf, optionTable, refusal, settingsOf } from "../src/options/table.ts";
import { run } from "./support/run.ts";

describe.each(commandNames.map((name) => name))("the options of %s", (command) => {
  const options = optionsOf(command);

  test("have names that differ, and need options that are there", () => {
    const names = options.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { needs } of options) if (needs !== undefined) expect(names).toContain(needs);
  });

  test("have help that says every choice and every default", () => {
    const help = layoutHelp(`options:\n${optionsHelp(command)}`).replace(/\s+/g, " ");
    for (const [k, { name, kind, default: usual, otherwise }] of options.entries()) {
      const next = options[k + 1];
      const line = help.slice(
        help.indexOf(` --${name} `),
        next && help.indexOf(` --${next.name} `),
      );
      for (const choice of Object.keys(kind.choices ?? {})) expect(line).toContain(choice);
      if (otherwise !== undefined) expect(line).toMatch(new RegExp(`default|${otherwise}`));
      else if (usual !== undefined) expect(line).toContain("default");
    }
  });
});

test("every choice and every default is of the option's own kind", () => {
  for (const { name, kind, default: usual } of optionTable) {
    if (kind === flag || name === "engine") continue;
    for (const choice of Object.keys(kind.choices ?? {}))
      expect([name, kind.read(choice) === undefined]).toEqual([name, false]);
    if (kind.choices && typeof usual === "string") expect(kind.read(usual)).toBe(usual);
    if (typeof usual === "number" && name !== "select") expect(kind.read(`${usual}`)).toBe(usual);
  }
});

test("every case limits an option, and there are options for nothing else", () => {
  const used = optionTable.flatMap(({ when, limits = {} }) => [when, ...Object.values(limits)]);
  expect(Object.keys(cases).toSorted()).toEqual(
    [...new Set(used.filter((name): name is CaseName => name !== undefined))].toSorted(),
  );
});

describe("a refusal says to what an option applies, and what else to do", () => {
  test.each([
    [
      ["--model", "gp", "--hidden", "8"],
      "--hidden applies to networks only; remove it or --model gp",
    ],
    [
      ["--kernel", "rbf"],
      "--kernel applies to Gaussian processes only; remove it or add --model gp",
    ],
    [
      ["--model", "net.onnx", "--ensemble", "5"],
      "--ensemble applies to new networks only; remove it or --model net.onnx",
    ],
    [
      ["--link", "softmax"],
      "--link applies to trained networks only; remove it or use --model net.onnx",
    ],
    [
      ["--trait", "bmi", "--pheno", "p.tsv"],
      "--pheno applies to genotypes only; remove it or give a .bed file",
    ],
    [
      ["--model", "net.onnx", "--missing", "mean"],
      "--missing mean applies to new models only; remove it or --model net.onnx",
    ],
    [["--top", "3"], "--top needs --stability; add --stability, or remove --top"],
    [["--refit"], "--refit needs --select; add --select <fdr=0.1>, or remove --refit"],
    [
      ["--select", "fdr=0.1", "--refit"],
      "--refit applies to permutation tests only; remove it or add --by permutation",
    ],
  ])("%j", async (argv, message) => {
    const { code, err } = await run(["explain", "t.csv", "--target", "y", ...argv]);
    expect([code, err]).toEqual([2, `ratewise: explain: ${message} (ratewise explain --help)\n`]);
  });

  test("and nothing is refused that applies", () => {
    expect(refusal("explain", { model: "gp", kernel: "rbf" }, "t.csv")).toBeUndefined();
    expect(refusal("explain", { pheno: "p", trait: "t" }, "g.bed")).toBeUndefined();
    expect(refusal("power", { by: "permutation", refit: true }, "t.csv")).toBeUndefined();
    expect(refusal("predict", {}, "t.csv")).toContain("needs --model <file>");
  });
});

test("settings have the library's names, and nothing that was left out", () => {
  const values = { "test-fraction": 0.2, exclude: [], refit: false, recipe: undefined, out: "x" };
  expect(
    settingsOf(
      optionTable.filter(({ name }) => name !== "out"),
      values,
    ),
  ).toEqual({
    testFraction: 0.2,
    exclude: [],
  });
});
