import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Progress } from "@ratewise/core";
import { type StudyContext, type StudyReport, studies } from "@ratewise/studies";
import { beforeEach, describe, expect, test } from "vitest";
import { studyList } from "../src/commands/study-list.ts";
import { namingStages } from "../src/commands/study-stages.ts";
import { run, temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();

test("without a name the studies are listed", async () => {
  const { code, out } = await run(["study"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^collinearity {2}least squares/);
  expect(out).toMatch(/^mice {10}which genes[\s\S]+?needs the data mice, 80 minutes$/m);
  const listed = JSON.parse((await run(["study", "--json"])).out).studies;
  expect(listed[0]).toMatchObject({ name: "collinearity", needs: [], time: "seconds" });
});

test("the list is that of the help, and of the studies that there are", async () => {
  expect(studyList.map(({ name, data }) => [name, data ?? []].flat())).toEqual(
    studies.map(({ name, needs }) => [name, ...needs]),
  );
  const { out } = await run(["study"]);
  const lines = out.trimEnd().split("\n");
  expect((await run(["study", "--help"])).out).toContain(`  ${lines.join("\n  ")}\n`);
});

test("a study is written as a page with its figures, and printed with its answer", async () => {
  const at = join(folder, "collinearity");
  const { code, out, err } = await run(["study", "collinearity", "--quick", "--out", at]);
  expect([code, err]).toEqual([0, expect.stringContaining("the study is")]);
  expect(err).not.toContain("earlier result");
  expect(out).toContain("covariance of x₁, ρ = 0.999");
  expect(readdirSync(at).toSorted()).toEqual(["figures", "result.json", "study.md"]);
  expect(readdirSync(join(at, "figures")).toSorted()).toEqual(["estimates.png", "estimates.svg"]);
  const document = JSON.parse(readFileSync(join(at, "result.json"), "utf8"));
  expect(document).toMatchObject({ kind: "study", study: "collinearity", quick: true, seed: 1 });
  expect(readFileSync(join(at, "study.md"), "utf8")).toContain("figures/estimates.svg");
});

test("an earlier result is said to have been replaced, and its page and figures go; files of others stay", async () => {
  const at = join(folder, "again");
  mkdirSync(join(at, "figures"), { recursive: true });
  const earlier = {
    ...{ kind: "study", study: "collinearity", seed: 1, quick: true, permuted: false },
    figures: [{ name: "words" }],
  };
  writeFileSync(join(at, "result.json"), JSON.stringify(earlier));
  for (const name of ["figures/words.svg", "figures/words.png", "figures/mine.svg", "notes.txt"])
    writeFileSync(join(at, name), "old");
  const { code, err } = await run(["study", "collinearity", "--quick", "--out", `${at}/`]);
  expect(code).toBe(0);
  expect(err).toContain(`ratewise: replaced the earlier result in ${at}\n`);
  expect(readdirSync(join(at, "figures")).toSorted()).toEqual([
    ...["estimates.png", "estimates.svg", "mine.svg"],
  ]);
  expect(readFileSync(join(at, "notes.txt"), "utf8")).toBe("old");
  expect(JSON.parse(readFileSync(join(at, "result.json"), "utf8")).study).toBe("collinearity");
});

describe("a folder that holds the result of a study", () => {
  const at = join(folder, "held");
  const held = { kind: "study", study: "mice", seed: 1, quick: true, permuted: false };
  const asked = ["study", "collinearity", "--quick", "--out", at];
  const refusal = (command: string) =>
    `ratewise: ${at}: holds the result of ${command}; choose another folder, or replace it with --force\n`;
  beforeEach(() => mkdirSync(at, { recursive: true }));

  test.each([
    [held, '"ratewise study mice --quick --seed 1"'],
    [{ ...held, study: "collinearity", seed: 2 }, '"ratewise study collinearity --quick --seed 2"'],
    [{ ...held, study: "collinearity", quick: false }, '"ratewise study collinearity --seed 1"'],
    [
      { ...held, study: "collinearity", permuted: true, covariates: ["cage", "litter"] },
      '"ratewise study collinearity --covariates cage,litter --quick --permuted --seed 1"',
    ],
    [{ kind: "explain" }, "another command"],
  ])("is refused to another: %j", async (document, command) => {
    const text = JSON.stringify(document);
    writeFileSync(join(at, "result.json"), text);
    expect(await run(asked)).toEqual({ code: 1, out: "", err: refusal(command) });
    expect(readdirSync(at)).toEqual(["result.json"]);
    expect(readFileSync(join(at, "result.json"), "utf8")).toBe(text);
  });

  test("is refused to other commands too", async () => {
    writeFileSync(join(at, "result.json"), JSON.stringify(held));
    const { code, err } = await run(["demo", "--out", at]);
    expect([code, err]).toEqual([1, refusal('"ratewise study mice --quick --seed 1"')]);
  });

  test("is replaced with --force", async () => {
    writeFileSync(join(at, "result.json"), JSON.stringify(held));
    const { code, err } = await run([...asked, "--force"]);
    expect([code, err]).toEqual([0, expect.stringContaining("earlier result")]);
    expect(JSON.parse(readFileSync(join(at, "result.json"), "utf8")).study).toBe("collinearity");
  });
});

test("what goes on within a stage is told of with its name, and stages as they are", async () => {
  const phases: string[] = [];
  const tell = (phase: string) => ({ phase, done: 1, total: 2 });
  const stage = async <Result>(_: string, work: () => Promise<Result>) => work();
  await namingStages({
    ...studies[0],
    run: async (context) => {
      await context.stage("refits", async () => context.onProgress?.(tell("fit-member")));
      await context.stage("HDL: train", async () => context.onProgress?.(tell("fit-member")));
      context.onProgress?.(tell("fit-member"));
      await Promise.all(
        ["one", "two"].map((name) =>
          context.stage(name, async () => context.onProgress?.(tell(name))),
        ),
      );
      return {} as StudyReport;
    },
  }).run({
    stage,
    onProgress: (event: Progress) => phases.push(event.phase),
  } as unknown as StudyContext);
  expect(phases).toEqual(["refits: train", "HDL: train", "fit-member", "one", "two"]);
});

test("the quick version says what it is, and a control that it is one, before anything else", async () => {
  const { out, err } = await run(["study", "collinearity", "--quick", "--permuted"]);
  const [, kind] = out.split("\n\n");
  expect(kind).toMatch(
    /^The quick version: fewer data sets[\s\S]+A control: responses\s+were\s+permuted/,
  );
  // Numbers as the table has them.
  const missed = Array.from(err.matchAll(/ is (\S+), needs/g), ([, number]) => number);
  expect(missed.length).toBeGreaterThan(0);
  for (const number of missed) expect(out).toMatch(new RegExp(` ${number} .+missed$`, "m"));
  expect(await run(["study", "collinearity", "--quick"]).then((whole) => whole.out)).not.toMatch(
    /control/,
  );
});

test("the page on studies names every file that they read", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/studies.md"), "utf8");
  const onRecord = Array.from(page.matchAll(/^[0-9a-f]{64} {2}(\S+)$/gm), ([, path]) => path);
  const read: string[] = [];
  for (const name of ["mice", "mnist", "imdb"]) {
    const { err } = await run(["study", name], { environment: { RATEWISE_CACHE: folder } });
    read.push(.../to a folder that holds (.+)$/m.exec(err)![1].split(", "));
  }
  expect(onRecord).toEqual(read);
});

test("the quick version ends with 1 when responses are permuted, after it has said what it found", async () => {
  const { code, out, err } = await run([
    "study",
    "collinearity",
    "--quick",
    "--permuted",
    "--json",
  ]);
  expect(code).toBe(1);
  expect(JSON.parse(out).permuted).toBe(true);
  expect(err).toContain("study collinearity --quick:");
  expect(err).toContain("needs at least 1.97");
});

test.each([
  [["study", "colinearity"], 2, 'there is no study "colinearity"; did you mean "collinearity"?'],
  [["study", "IMDB"], 2, 'there is no study "IMDB"; did you mean "imdb"?'],
  [
    ["study", "mouse"],
    2,
    'there is no study "mouse"; choose one of collinearity, simulation, mnist',
  ],
  [["study", "a", "b"], 2, "needs one study, got 2"],
  [
    ["study", "selection"],
    2,
    '"selection" is not run by this command: node studies/dist/selection/run.js --journal studies/results/selection.jsonl runs it in a checkout, and its results are docs/studies/selection.md',
  ],
  [["study", "calibration"], 2, "node studies/dist/calibration/run.js --journal"],
  [
    ["study", "collinearity", "--covariates", "cage"],
    1,
    'study collinearity: needs no covariates, got "cage"; leave --covariates out',
  ],
  [
    ["study", "imdb"],
    1,
    "study imdb: needs the data set imdb, got no RATEWISE_DATA; run ratewise data get imdb",
  ],
] as [string[], number, string][])("%j", async (argv, expected, message) => {
  const { code, out, err } = await run(argv, { environment: { RATEWISE_CACHE: folder } });
  expect([code, out]).toEqual([expected, ""]);
  expect(err).toContain(message);
});
