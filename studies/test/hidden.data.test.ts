import { expect, test } from "vitest";
import { dataFolder, runStudy, studies } from "../src/index.ts";

const folder = process.env.RATEWISE_DATA;
if (!folder)
  throw new Error("RATEWISE_DATA is not set: name the folder with mice/, genes/, genesets/");
const data = dataFolder(folder, folder);
const hidden = studies.find(({ name }) => name === "hidden")!;
const options = { seed: 1, quick: true, permuted: false, data, cores: 2 };

test("the quick version predicts HDL by genes and sets, and finds the genes around Apoa2", async () => {
  const { document, figures } = await runStudy(hidden, options);
  expect(document.findings.filter(({ holds }) => holds !== true)).toEqual([]);
  expect(figures.map(({ name }) => name)).toEqual(["genes", "sets"]);
});

test("with a permuted trait it misses its bars", async () => {
  const { document } = await runStudy(hidden, { ...options, permuted: true });
  const missed = document.findings.filter(({ holds }) => holds === false).map(({ what }) => what);
  expect(missed).toContain("correlation in unseen mice, real sets");
});
