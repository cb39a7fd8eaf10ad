import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  dataFolder,
  findingsText,
  kindText,
  type RunStudyOptions,
  runStudy,
  type Study,
  studies,
  studyPage,
} from "../src/index.ts";
import { atLeast, atMost, finding, settledAfterwards } from "../src/study/study.ts";

const folder = mkdtempSync(join(tmpdir(), "ratewise-study-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options: RunStudyOptions = {
  seed: 1,
  quick: true,
  permuted: false,
  data: dataFolder(undefined, join(folder, "cache")),
  cores: 2,
};
const named = (name: string): Study => studies.find((study) => study.name === name)!;

test("bars are reached from their own side, and words have none", () => {
  expect(finding("a", null, 0.5, atLeast(0.5)).holds).toBe(true);
  expect(finding("a", null, 0.4999, atLeast(0.5)).holds).toBe(false);
  expect(finding("a", null, 0.5001, atMost(0.5)).holds).toBe(false);
  expect(finding("a", 1, Number.NaN, atMost(0.5)).holds).toBe(false);
  expect(finding("a", 1, 2).holds).toBe(null);
  expect(finding("a", 1, "two", atLeast(1)).holds).toBe(null);
});

test("a bar settled afterwards says so on the page", async () => {
  const { document } = await runStudy(named("collinearity"), options);
  const late = { ...document, findings: document.findings.map(settledAfterwards) };
  expect(studyPage(late).match(/\| holds, settled afterwards \|/g)).toHaveLength(
    document.findings.length,
  );
  expect(studyPage(document)).not.toContain("settled afterwards");
  expect(kindText({ ...document, quick: false })).toBe(null);
});

describe("collinearity", () => {
  test("finds what it has to", async () => {
    const { document, figures } = await runStudy(named("collinearity"), options);
    expect(document.findings.filter(({ holds }) => holds !== true)).toEqual([]);
    // By hand: sd of least squares at ρ = 0.999 is 1/√(n(1 − ρ²)) = 0.316, of the covariance √(3·0.004 + 1)/√n about 0.0142.
    const ratio = document.findings.find(({ what }) => what.startsWith("spread"))!;
    expect(ratio.ours).toBeGreaterThan(15);
    expect(ratio.ours).toBeLessThan(33);
    expect(figures.map(({ name }) => name)).toEqual(["estimates"]);
    expect(document).toMatchObject({ kind: "study", study: "collinearity", seed: 1, quick: true });
    const stages = ["repeats", "counter-examples", "whole"];
    expect(Object.keys(document.seconds)).toEqual(stages);
    expect(Object.keys(document.processorSeconds)).toEqual(stages);
    expect(document.processorSeconds.repeats).toBeGreaterThan(0);
    // Statements that the paper's numbers are held against are said to be refuted.
    const refuted = document.findings.filter(({ paper }) => /refuted/.test(`${paper}`));
    expect(refuted.map(({ ours }) => ours)).toEqual([
      expect.closeTo(0.6, 0),
      expect.closeTo(0, 12),
      expect.closeTo(0, 12),
    ]);
    const page = studyPage(document);
    expect(page).toContain("![Estimates of the two effects");
    expect(page).toContain("`ratewise study collinearity --quick --seed 1`");
    expect(page.match(/\| holds \|/g)).toHaveLength(document.findings.length);
  });

  test("misses its bars when responses are permuted", async () => {
    const { document } = await runStudy(named("collinearity"), { ...options, permuted: true });
    const missed = document.findings.filter(({ holds }) => holds === false);
    expect(missed.map(({ what }) => what)).toContain("covariance of x₁, ρ = 0");
    expect(missed.length).toBeGreaterThanOrEqual(3);
    expect(studyPage(document)).toContain(
      "**The quick version: fewer data sets, rows or repeats than the study, to see that it works. A control: responses were permuted, and nothing should be found.**",
    );
  });

  test("another seed gives other numbers, the same seed the same", async () => {
    const numbersOf = async (seed: number) =>
      (await runStudy(named("collinearity"), { ...options, seed })).document.numbers;
    const first = await numbersOf(1);
    expect(await numbersOf(1)).toEqual(first);
    expect(await numbersOf(2)).not.toEqual(first);
  });
});

test("stages that are kept are not computed again, and others are", async () => {
  const kept = new Map<string, unknown>();
  const cache = {
    get: async (id: string) => kept.get(id),
    put: async (id: string, result: unknown) => void kept.set(id, structuredClone(result)),
  };
  let computed = 0;
  const counting: Study = {
    ...named("collinearity"),
    run: async ({ stage, seed }) => {
      const value = await stage("one", async () => seed + ++computed);
      const other = await stage("one", async () => value + ++computed);
      return {
        findings: [],
        tables: [],
        figures: [],
        numbers: { value, other },
      };
    },
  };
  const first = await runStudy(counting, { ...options, cache });
  expect([computed, kept.size, first.document.numbers]).toEqual([2, 2, { value: 2, other: 4 }]);
  const again = await runStudy(counting, { ...options, cache });
  expect([computed, again.document.numbers]).toEqual([2, first.document.numbers]);
  expect(again.document.seconds).toEqual(first.document.seconds);
  expect(again.document.processorSeconds).toEqual(first.document.processorSeconds);
  await runStudy(counting, { ...options, cache, seed: 2 });
  await runStudy(counting, { ...options, cache, permuted: true });
  expect(computed).toBe(6);
});

describe("data that are not there", () => {
  const needing: Study = { ...named("collinearity"), name: "mine", needs: ["mice"] };
  const put = (at: string, path: string): void => {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), "seven");
  };
  const mice = ["bed", "bim", "fam", "pheno.tsv"].map((end) => `mice/hs_mice.${end}`);

  test("are told of before any work, with what to do", async () => {
    await expect(runStudy(needing, options)).rejects.toThrow(
      "study mine: needs the data set mice, got no RATEWISE_DATA; set RATEWISE_DATA to a folder that holds mice/hs_mice.bed, ",
    );
    const data = dataFolder(folder, join(folder, "cache"));
    await expect(runStudy({ ...needing, needs: ["imdb"] }, { ...options, data })).rejects.toThrow(
      /got a RATEWISE_DATA \(.*\) without it; run ratewise data get imdb, or set RATEWISE_DATA/,
    );
  });

  test("are named all at once where some are there", async () => {
    const some = join(folder, "some");
    for (const path of mice) put(some, path);
    const data = dataFolder(some, join(folder, "cache"));
    await expect(runStudy(needing, { ...options, data })).rejects.toThrow(
      "without genes/mgi_genes_grcm38.tsv.gz, genesets/dbGaP.gmt; set",
    );
  });

  test("are found in the cache too; a result and its page have their sums", async () => {
    const cache = join(folder, "cache");
    for (const path of [...mice, "genes/mgi_genes_grcm38.tsv.gz", "genesets/dbGaP.gmt"])
      put(cache, path);
    const data = dataFolder(join(folder, "elsewhere"), cache);
    expect(await data.text("mice/hs_mice.bim")).toBe("seven");
    await expect(data.bytes("mice/b.bed")).rejects.toThrow("needs mice/b.bed, got no such file");
    const { document } = await runStudy(needing, { ...options, data });
    // printf seven | sha256sum
    const sum = "3ba8d02b16fd2a01c1a8ba1a1f036d7ce386ed953696fa57331c2ac48a80b255";
    expect(Object.keys(document.data)).toHaveLength(6);
    expect(document.data["mice/hs_mice.bed"]).toBe(sum);
    expect(studyPage(document)).toContain(`| genesets/dbGaP.gmt | \`${sum}\` |`);
    expect(studyPage(document)).toContain(`Node ${process.versions.node}, 2 cores.`);
  });
});

test("a page has question, what was asked, figures, other numbers, tables, record, in this order", async () => {
  const { document } = await runStudy(named("collinearity"), options);
  const page = studyPage({
    ...{ ...document, quick: false, tables: [{ title: "Parts", columns: ["a"], rows: [[1234]] }] },
    findings: [
      finding("share", 0.8, 0.75, atLeast(0.7)),
      finding("count", null, 1234),
      finding("mean", null, { mean: -0.25, error: 0.125 }),
      finding("seconds", null, 12, atMost(5)),
    ],
  });
  const [, afterQuestion] = page.split(`(${document.source})\n\n`);
  expect(afterQuestion.slice(0, afterQuestion.indexOf("\n\n## Record"))).toBe(
    [
      "What the recorded run showed, how it was done and its limits: docs/studies/collinearity.md of the repository.\n",
      "## What was asked, and what came out\n",
      "|  | paper | here | asked |  |",
      "|---|---|---|---|---|",
      "| share | 0.8 | 0.75 | ≥ 0.7 | holds |",
      "| seconds | – | 12 | ≤ 5 | missed |\n",
      `![${document.figures[0].caption}](figures/estimates.svg)\n`,
      `*${document.figures[0].caption}*\n`,
      "## More numbers\n",
      "|  | here |",
      "|---|---|",
      "| count | 1,234 |",
      "| mean | −0.250 ± 0.125 |\n",
      "## Parts\n",
      "| a |",
      "|---|",
      "| 1,234 |",
    ].join("\n"),
  );
});

test("numbers of several traits or questions stand side by side", async () => {
  const { document } = await runStudy(named("collinearity"), options);
  const findings = [
    finding("HDL: genes", 44, 863),
    finding("HDL: mice", null, 1594),
    finding("HDL: place", null, 1),
    finding("BMI: genes", null, 866),
    finding("BMI: mice", null, 1814),
  ];
  expect(studyPage({ ...document, findings, figures: [] })).toContain(
    [
      "|  | HDL, paper | HDL, here | BMI, here |",
      "|---|---|---|---|",
      "| genes | 44 | 863 | 866 |",
      "| mice | – | 1,594 | 1,814 |",
      "| place | – | 1 |  |",
    ].join("\n"),
  );
  // Lines without such names are as they come, equal ones too.
  const plain = [
    finding("sets: size", null, 3),
    finding("the same", null, 4),
    finding("the same", 0, 5),
  ];
  expect(studyPage({ ...document, findings: plain, figures: [] })).toContain(
    "|  | paper | here |\n|---|---|---|\n| sets: size | – | 3 |\n| the same | – | 4 |\n| the same | 0 | 5 |",
  );
});

test("findings are one line each on a terminal", () => {
  const text = findingsText([
    finding("share", 0.8, 0.75, atLeast(0.7)),
    finding("count", null, 1234),
    finding("less", null, -0.25),
  ]);
  expect(text.split("\n")).toEqual([
    "       paper   here  asked",
    "share    0.8   0.75  ≥ 0.7  holds",
    "count      –  1,234",
    "less       –  −0.25",
  ]);
});

test("covariates that a study does not have are refused, those it has are handed on and recorded", async () => {
  const asked: Study = {
    ...named("collinearity"),
    covariates: ["cage", "litter"],
    run: async ({ covariates }) => ({
      ...{ findings: [], tables: [], figures: [], numbers: { covariates } },
    }),
  };
  const { document } = await runStudy(asked, { ...options, covariates: ["litter"] });
  expect(document).toMatchObject({
    ...{ numbers: { covariates: ["litter"] }, covariates: ["litter"] },
  });
  expect(studyPage(document)).toContain("--covariates litter");
  await expect(runStudy(asked, { ...options, covariates: ["coat"] })).rejects.toThrow(
    'study collinearity: needs covariates among cage, litter, got "coat"',
  );
});
