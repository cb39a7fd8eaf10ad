import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { explainWords } from "../../web/test/support/examples.ts";
import { launchBrowser } from "./harness.ts";
import {
  command,
  openExample,
  runToResult,
  type Served,
  saved,
  serveApp,
  show,
  type Visit,
  visit,
  writeExample,
} from "./web/served-page.ts";

let browser: Browser;
let app: Served;
const folder = mkdtempSync(join(tmpdir(), "ratewise-choices-"));
beforeAll(async () => {
  browser = await launchBrowser();
  app = await serveApp();
});
afterAll(async () => {
  await app?.close();
  await browser?.close();
  rmSync(folder, { recursive: true });
});

let visited: Visit;
let page: Page;
beforeEach(async () => {
  visited = await visit(browser, app.address);
  page = visited.page;
});
afterEach(async () => {
  expect(visited.troubles).toEqual([]);
  await visited.context.close();
});

const drop = (name: string, text: string): Promise<void> =>
  page.setInputFiles("input[type=file]", { name, mimeType: "", buffer: Buffer.from(text) });

const unfold = (): Promise<void> =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

/** Rows of numbers that repeat themselves as little as these tests need. */
const rows = (count: number, row: (i: number) => readonly (number | string)[]): string =>
  Array.from({ length: count }, (_, i) => row(i).join(",")).join("\n");
const wave = (i: number, speed: number): number => Number(Math.sin(i * speed).toFixed(4));

test("the losses of every network of an ensemble are drawn while they train", async () => {
  await openExample(page, "table");
  await unfold();
  await page.locator('label:has-text("hidden layers") input').fill("256,256");
  await page.locator('label:has-text("Networks to average") input').fill("3");
  await page.click("#run");
  // Two at a time at least, each with a line of its own.
  await page.waitForFunction(
    () => document.querySelectorAll('#loss path[stroke="var(--rate)"]').length >= 2,
  );
  await page.waitForSelector("#loss:has-text('networks begun')");
  await page.click("#cancel");
  await page.waitForSelector("#run");
});

test("a table with decimal commas is read after one click on what its message names", async () => {
  const lines = Array.from({ length: 40 }, (_, i) =>
    [wave(i, 1.3), wave(i, 2.1), wave(i, 0.7)].join(";").replaceAll(".", ","),
  );
  await drop("commas.csv", `a;b;y\n${lines.join("\n")}\n`);
  await page.waitForSelector("#error:has-text('commas')");
  await page.click('button:has-text("decimals are written with a comma")');
  await page.waitForSelector('#size:has-text("40 rows, 3 columns")');
  expect(await page.textContent("#columns")).toContain("numbers");
  await unfold();
  expect(await page.isChecked('label:has-text("written with a comma") input')).toBe(true);
});

test("the browser asks before an unsaved result is left, and not once something of it was saved", async () => {
  await openExample(page, "network");
  await page.reload();
  await page.waitForSelector("#drop-title");
  expect(visited.asked).toEqual([]);
  await openExample(page, "network");
  await runToResult(page);
  await page.reload();
  await page.waitForSelector("#drop-title");
  expect(visited.asked).toEqual(["beforeunload"]);
  await openExample(page, "network");
  await runToResult(page);
  await saved(page, "importance.parquet");
  await page.reload();
  await page.waitForSelector("#drop-title");
  expect(visited.asked).toEqual(["beforeunload"]);
});

test("what if counts ranks among those left, keeps to one formula, and says when two are the same", async () => {
  await openExample(page, "network");
  await runToResult(page);
  await show(page, "Ranking");
  const first = await page.$eval("#variables tbody tr", (row) => row.getAttribute("data-name")!);
  await show(page, "What if");
  await page.fill("#nullify-name", first);
  await page.press("#nullify-name", "Enter");
  await page.waitForSelector("#changes");
  const column = (at: number) =>
    page.$$eval(
      "#changes tbody tr",
      (all, cell) => all.map((row) => row.querySelectorAll("td")[cell].textContent!),
      at,
    );
  const ranksBefore = (await column(4)).filter((text) => text !== "–").map(Number);
  expect(ranksBefore.toSorted((a, b) => a - b)).toEqual(ranksBefore.map((_, at) => at + 1));
  const before = await column(3);
  await page.selectOption("#variant", "exact");
  await page.waitForSelector("#same-formula:has-text('give the same shares here')");
  expect(await column(3)).toEqual(before);
  await page.selectOption("#variant", "published");
  await page.waitForSelector("#same-formula", { state: "detached" });
  expect(await column(3)).not.toEqual(before);
});

test("a spreadsheet is to be saved as CSV, and whole numbers as a target may be classes or amounts", async () => {
  await drop("trial.xlsx", "PK");
  await page.waitForSelector("#error:has-text('save its sheet as CSV')");
  await drop("coded.csv", `a,b,y\n${rows(60, (i) => [wave(i, 1.3), wave(i, 2.1), i % 2])}\n`);
  await page.waitForSelector("#columns");
  await page.selectOption("#target", "y");
  await page.waitForSelector("#coded:has-text('A class or a number?')");
  await page.selectOption("#task", "regression");
  await page.waitForSelector("#coded", { state: "detached" });
  await runToResult(page);
  await show(page, "Save");
  expect(await page.textContent("#command")).toContain("--task regression");
});

test("numbers that are codes are read as categories", async () => {
  await drop("codes.csv", `site,a,y\n${rows(60, (i) => [i % 4, wave(i, 1.1), wave(i, 0.3)])}\n`);
  await page.waitForSelector("#columns");
  await page.selectOption('[aria-label="kind of site"]', "categories");
  await page.waitForSelector('#columns tr:has-text("4 levels: 0, 1, 2")');
  await page.selectOption('[aria-label="kind of site"]', "numbers");
  await page.waitForSelector('#columns tr:has-text("0 to 3, mean 1.5")');
});

test("columns listed in a file are left out, and groups are made of names", async () => {
  await openExample(page, "table");
  await page.setInputFiles('label:has-text("Leave out those in a file") input', {
    name: "unwanted.txt",
    mimeType: "",
    buffer: Buffer.from("marker_3\nmarker_4\nresponse\nnobody\n"),
  });
  await page.waitForFunction(
    () =>
      document.querySelector("#columns")?.textContent?.match(/left out as asked/g)?.length === 2,
  );
  await unfold();
  await page.fill('label:has-text("Group") input >> nth=0', "body");
  await page.fill('label:has-text("of columns") input', "height, weight");
  await page.click('form button:text-is("Add")');
  await page.waitForSelector('.groups li:has-text("body (2)")');
});

test("a trait is chosen among the columns of a file of phenotypes, and freed of others", async () => {
  const settings = await writeExample("genotypes", folder);
  const lines = Array.from({ length: 1000 }, (_, i) =>
    [`F${i + 1}`, `I${i + 1}`, wave(i, 0.37), 20 + (i % 50), wave(i, 1.7)].join("\t"),
  );
  writeFileSync(join(folder, "people.tsv"), `FID\tIID\tlow\tage\tbmi\n${lines.join("\n")}\n`);
  const names = ["people.bed", "people.bim", "people.fam", "people.tsv"];
  await page.setInputFiles(
    "input[type=file]",
    names.map((name) => join(folder, name)),
  );
  await page.waitForSelector("#trait");
  expect(await page.$$eval("#trait option", (all) => all.map((o) => o.textContent))).toEqual([
    "the phenotype of the .fam file",
    "low",
    "age",
    "bmi",
  ]);
  await page.selectOption("#trait", "bmi");
  await page.waitForSelector("#run:not([disabled])");
  await unfold();
  await page.fill('label:has-text("take out of the target") input', "age");
  await page.fill('label:has-text("hidden layers") input', "4");
  await runToResult(page);
  expect(await page.textContent(".result-title")).toContain("bmi");
  const words = explainWords({
    ...settings,
    groups: { kind: "none" },
    pheno: "people.tsv",
    trait: "bmi",
    options: { covariates: "age", hidden: "4" },
  });
  const printed = await command(folder, "explain", "--json", ...words);
  expect(`${await saved(page, "result.json")}`).toBe(printed);
});

test("three classes have a ranking each, and one for every two of them", async () => {
  const kinds = ["low", "middle", "high"];
  const line = (i: number) => {
    const [a, b] = [wave(i, 1.3), wave(i, 2.9)];
    return [a, b, wave(i, 0.71), kinds[a > 0.3 ? 2 : b > 0 ? 1 : 0]];
  };
  await drop("classes.csv", `a,b,c,kind\n${rows(240, line)}\n`);
  await page.waitForSelector("#columns");
  await page.selectOption("#target", "kind");
  await page.waitForSelector("#run:not([disabled])");
  await runToResult(page);
  await show(page, "Classes");
  const questions = await page.$$eval("#class option", (all) => all.map((o) => o.textContent));
  expect(questions).toHaveLength(6);
  expect(questions).toContain("“high” or “low”?");
  const first = (): Promise<string | null> =>
    page.textContent("#class-ranking tbody tr:first-child .name");
  await page.selectOption("#class", { label: "Is it “high”?" });
  expect(await first()).toBe("a");
  await page.selectOption("#class", { label: "“low” or “middle”?" });
  await page.waitForFunction(
    () => document.querySelector("#class-ranking tbody tr:first-child .name")?.textContent === "b",
  );
});

test("a network trained elsewhere is asked what if, and has its answers in a box", async () => {
  await openExample(page, "network");
  await runToResult(page);
  expect(await page.textContent(".answers")).toContain(
    "We do not know whether it was trained on these rows",
  );
  expect(await page.textContent(".answers")).not.toContain("--");
  await show(page, "What if");
  await page.fill("#nullify-name", "pressure");
  await page.keyboard.press("Enter");
  await page.waitForSelector('#changes tr[data-name="pressure"]:has-text("set to zero")');
  const ranks = await page.$$eval("#changes tbody tr", (all) =>
    all.map((row) => row.querySelector("td")!.textContent),
  );
  expect(ranks).toEqual(["1", "2", "3", "set to zero"]);
});

test("a Gaussian process, and how many rows test it", async () => {
  await drop(
    "t.csv",
    `a,b,y\n${rows(80, (i) => [wave(i, 1.3), wave(i, 2.1), wave(i, 1.3) ** 2 + wave(i, 7.7) / 4])}\n`,
  );
  await page.waitForSelector("#columns");
  await page.selectOption("#target", "y");
  await page.waitForSelector("#run:not([disabled])");
  await unfold();
  await page.selectOption('label:has-text("Model") select', "gp");
  await page.selectOption('label:has-text("Kernel") select', "matern52");
  await page.fill('label:has-text("rows to test on") input', "0.25");
  await runToResult(page);
  await page.waitForFunction(() => document.querySelector(".drawing") === null);
  await show(page, "Save");
  expect(await page.textContent("#command")).toBe(
    "ratewise explain t.csv --target y --model gp --kernel matern52 --test-fraction 0.25 --engine plain",
  );
  await show(page, "What if");
  await page.waitForSelector("#nullify-name");
});
