import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExplainDocument } from "@ratewise/core/explain";
import { writeParquet } from "@ratewise/files";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explainWords } from "../../web/test/support/examples.ts";
import { launchBrowser } from "./harness.ts";
import {
  command,
  openExample,
  runToResult,
  type Served,
  saved,
  serveApp,
  servePlain,
  show,
  type Visit,
  visit,
  writeExample,
} from "./web/served-page.ts";

const folder = mkdtempSync(join(tmpdir(), "ratewise-page-"));
let browser: Browser;
let app: Served;
let plain: Served;
beforeAll(async () => {
  browser = await launchBrowser();
  app = await serveApp();
  plain = await servePlain();
});
afterAll(async () => {
  await app?.close();
  await plain?.close();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const names = ["table", "digits", "genotypes", "network"] as const;

describe.each(names)("the example %s, from the first screen to the saved file,", (name) => {
  let visited: Visit;
  let printed: string;
  beforeAll(async () => {
    visited = await visit(browser, app.address);
    const settings = await writeExample(name, folder);
    printed = await command(folder, "explain", "--json", ...explainWords(settings));
    await openExample(visited.page, name);
    await runToResult(visited.page);
  });
  afterAll(() => visited?.context.close());

  test("has the command's result to the last digit", async () => {
    expect(`${await saved(visited.page, "result.json")}`).toBe(printed);
  });

  test("shows every variable's shares as the result has them, best first", async () => {
    const { page } = visited;
    const { variables } = JSON.parse(printed) as ExplainDocument;
    await show(page, "Ranking");
    const shown = await page.$$eval("#variables tbody tr", (rows) =>
      rows.map((row) =>
        [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent),
      ),
    );
    const percent = (rate: number) =>
      rate > 0 && rate < 0.0005 ? "< 0.1%" : `${(100 * rate).toFixed(1)}%`;
    const expected = [...variables]
      .sort((a, b) => a.rank! - b.rank!)
      .slice(0, 50)
      .map(({ rank, name: text, rate }) => [`${rank}`, text, percent(rate!)]);
    expect(shown).toEqual(expected);
  });

  test("draws all its views", async () => {
    const { page } = visited;
    const views = await page.$$eval(".tabs button", (all) => all.map((b) => b.textContent!));
    expect(views).toEqual(expect.arrayContaining(["Overview", "Ranking", "What if", "Save"]));
    const special = {
      table: "Direction and shape",
      digits: "Image",
      genotypes: "Genome",
      network: "",
    };
    if (special[name]) expect(views).toContain(special[name]);
    for (const view of views) {
      await show(page, view);
      await page.waitForFunction(() => document.querySelector(".drawing") === null);
      const empty = await page.$$eval("figure", (all) =>
        all.filter((figure) => figure.querySelector("svg") === null).map((f) => f.dataset.name),
      );
      expect([view, empty]).toEqual([view, []]);
    }
  });

  test("saves figures as SVG and PNG, the report, and a table", async () => {
    const { page } = visited;
    expect(`${await saved(page, "importance.svg")}`).toMatch(/^<svg /);
    expect(`${await saved(page, "importance.csv")}`).toMatch(/^name,rank,rate,/);
    expect(`${await saved(page, "report.html")}`).toMatch(/^<!doctype html>/);
    await show(page, "Overview");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click('figure[data-name="importance"] button:text-is("Save as PNG")'),
    ]);
    expect(download.suggestedFilename()).toBe("importance.png");
  });

  test("nothing went wrong unseen, and nobody else was asked for anything", () => {
    expect(visited.troubles).toEqual([]);
  });
});

describe("a person", () => {
  let visited: Visit;
  beforeAll(async () => {
    visited = await visit(browser, app.address);
    await openExample(visited.page, "table");
    await runToResult(visited.page);
  });
  afterAll(() => visited?.context.close());

  test("searches, opens a variable's page, and takes its effect for zero", async () => {
    const { page } = visited;
    await show(page, "Ranking");
    await page.fill("#variables-search", "marker_1");
    expect(await page.locator("#variables tbody tr").count()).toBe(1);
    await page.click('#variables button:has-text("marker_1")');
    expect(await page.textContent("#variable")).toMatch(/Its stand-in: marker_2/);
    await page.click("#nullify");
    await page.waitForSelector("#changes tbody tr");
    const row = await page.textContent('#changes tr[data-name="marker_1"]');
    expect(row).toContain("set to zero");
    const now = await page.$$eval('#changes tbody tr:not([data-name="marker_1"])', (rows) =>
      rows.map((r) => r.querySelectorAll("td")[0].textContent),
    );
    expect(now).toEqual(now.map((_, at) => `${at + 1}`));
  });

  test("changes the formula", async () => {
    const { page } = visited;
    const rates = () =>
      page.$$eval("#changes tbody tr", (rows) => rows.map((r) => r.textContent).sort());
    const before = await rates();
    await page.selectOption("#variant", "published");
    await page.waitForFunction(
      (text) =>
        [...document.querySelectorAll("#changes tbody tr")]
          .map((r) => r.textContent)
          .sort()
          .join() !== text,
      before.join(),
    );
    expect(await rates()).not.toEqual(before);
  });

  test("asks the other methods, and sees which ranking holds up", async () => {
    const { page } = visited;
    await show(page, "Other methods");
    await page.click("#compare-quick");
    await page.waitForSelector("#shuffle tbody tr", { timeout: 60_000 });
    const methods = await page.$$eval("#shuffle tbody tr", (rows) =>
      rows.map((row) => row.querySelectorAll("td")[0].textContent),
    );
    expect(methods).toEqual(expect.arrayContaining(["RATE", "gradient"]));
    expect(methods.at(-1)).toBe("random");
  });

  test("leaves a column out, groups by name, asks how sure it is, and runs a second time", async () => {
    const { page } = visited;
    await page.click('button:text-is("Change the choices")');
    await page.uncheck('#columns input[aria-label="use marker_8"]');
    await page.waitForSelector('#columns tr:has-text("left out as asked")');
    await page.click("summary:has-text('Groups')");
    await page.click('button:text-is("By how their names begin")');
    await page.click("summary:has-text('How to train')");
    await page.check("#stability");
    await runToResult(page);
    await show(page, "Groups");
    expect(await page.textContent("#groups")).toContain("marker");
    await show(page, "Ranking");
    expect(await page.textContent("#variables thead")).toContain("rank interval");
    expect(await page.locator("#variables tbody tr").count()).toBe(12);
    await show(page, "Save");
    expect(await page.textContent("#command")).toBe(
      "ratewise explain trial.csv --target response --exclude marker_8 --groups groups.json --stability --engine plain",
    );
  });

  test("saves a session and opens it in another page", async () => {
    const { page } = visited;
    const session = await saved(page, "result.ratewise-session");
    const other = await visit(browser, app.address);
    await other.page.setInputFiles("input[type=file]", {
      name: "mine.ratewise-session",
      mimeType: "application/octet-stream",
      buffer: session,
    });
    await other.page.waitForSelector(".result-title");
    expect(`${await saved(other.page, "result.json")}`).toBe(`${await saved(page, "result.json")}`);
    expect(other.troubles).toEqual([]);
    await other.context.close();
  });

  test("drops a model of the command with rows, and has them predicted", async () => {
    await writeExample("table", folder);
    await command(
      folder,
      "explain",
      "--target=response",
      "--engine=plain",
      "--out=made",
      "trial.csv",
    );
    const expected = await command(
      folder,
      ...["predict", "--model=made/model.ratewise", "--engine=plain", "trial.csv"],
    );
    const other = await visit(browser, app.address);
    const files = [join(folder, "made/model.ratewise"), join(folder, "trial.csv")];
    await other.page.setInputFiles("input[type=file]", files);
    await other.page.waitForSelector("#predictions-title");
    const [download] = await Promise.all([
      other.page.waitForEvent("download"),
      other.page.click('button:text-is("Save predictions.csv")'),
    ]);
    expect(readFileSync(await download.path(), "utf8")).toBe(expected);
    await other.context.close();
  });

  test("nothing went wrong unseen", () => {
    expect(visited.troubles).toEqual([]);
  });
});

describe("a run", () => {
  test("is cancelled in mid-training at once, and the next one is like any other", async () => {
    const { page, context, troubles } = await visit(browser, app.address);
    const settings = await writeExample("table", folder);
    await openExample(page, "table");
    await page.click("summary:has-text('How to train')");
    const networks = page.locator('label:has-text("Networks to average") input');
    const units = page.locator('label:has-text("hidden layers") input');
    await units.fill("512,512");
    await page.click("#run");
    await page.waitForSelector("#loss path");
    // Networks of this size would train for minutes; how soon it is over by the clock is in bench/page.mjs.
    await page.click("#cancel");
    await page.waitForSelector("#run", { timeout: 10_000 });
    expect(await page.textContent("main")).toContain("Cancelled. Nothing of the run was saved.");
    expect(page.workers()).toEqual([]);
    await page.click("summary:has-text('How to train')");
    await units.fill("");
    await networks.fill("2");
    await runToResult(page);
    const words = explainWords({ ...settings, options: { ensemble: "2" } });
    const printed = await command(folder, "explain", "--json", ...words);
    expect(`${await saved(page, "result.json")}`).toBe(printed);
    expect(troubles).toEqual([]);
    await context.close();
  });

  test("that a refresh cut off is told of, and the page goes on", async () => {
    const { page, context } = await visit(browser, app.address);
    await openExample(page, "table");
    await page.click("summary:has-text('How to train')");
    await page.locator('label:has-text("hidden layers") input').fill("512,512");
    await page.click("#run");
    await page.waitForSelector("#loss path");
    await page.reload();
    await page.waitForSelector("#drop-title");
    expect(await page.textContent("main")).toContain("while it worked on trial.csv");
    await openExample(page, "table");
    await runToResult(page);
    await page.reload();
    await page.waitForSelector("#drop-title");
    expect(await page.textContent("main")).not.toContain("while it worked on");
    await context.close();
  });
});

describe("a bad file", () => {
  const bad: [string, string][] = [
    ["empty.csv", ""],
    ["ragged.csv", "a,b,y\n1,2,3\n1,2\n"],
    ["twice.csv", "a,a,y\n1,2,3\n"],
    ["broken.parquet", "PAR1 and no more"],
    ["broken.npz", "PK\u0003\u0004"],
    ["lonely.bed", "l\u001b\u0001"],
    ["header-only.csv", "a,b,y\n"],
  ];
  let visited: Visit;
  beforeAll(async () => {
    visited = await visit(browser, app.address);
  });
  afterAll(() => visited?.context.close());

  test.each(bad)("%s has the command's own message", async (name, content) => {
    const { page } = visited;
    writeFileSync(join(folder, name), content);
    const line = await command(folder, "inspect", "--json", name);
    await page.setInputFiles("input[type=file]", join(folder, name));
    await page.waitForFunction(
      (n) => document.querySelector("#error")?.textContent?.includes(n),
      name,
    );
    expect(`ratewise: ${await page.textContent("#error")}\n`).toBe(line);
    expect(await page.isVisible("#drop-title")).toBe(true);
  });

  test("that is none at all is named, with what would do", async () => {
    const { page } = visited;
    await page.setInputFiles("input[type=file]", {
      name: "photo.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from("x"),
    });
    await page.waitForSelector("#error:has-text('photo.jpg: needs a table')");
    expect(visited.troubles).toEqual([]);
  });

  test("with hostile names shows them as text, everywhere", async () => {
    const { page, troubles, context } = await visit(browser, app.address);
    const hostile = [
      "<img src=x onerror=alert(1)>",
      "</script><script>alert(2)</script>",
      "javascript:alert(3)",
      "\u202egnp.exe",
      "__proto__",
    ];
    const quoted = (text: string) => `"${text}"`;
    const rows = Array.from({ length: 200 }, (_, i) => {
      const values = hostile.map((_, j) => Math.sin(i * (j + 1.3)).toFixed(4));
      return [...values, `${Number(values[0]) * 2 + Number(values[4])}`].join(",");
    });
    const target = "<b>target</b>";
    const csv = `${[...hostile, target].map(quoted).join(",")}\n${rows.join("\n")}\n`;
    await page.setInputFiles("input[type=file]", {
      name: "<i>table.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(csv),
    });
    await page.waitForSelector("#columns");
    await page.selectOption("#target", target);
    await page.waitForSelector("#run:not([disabled])");
    await runToResult(page);
    for (const view of await page.$$eval(".tabs button", (all) => all.map((b) => b.textContent!))) {
      await show(page, view);
      await page.waitForFunction(() => document.querySelector(".drawing") === null);
      const strange = await page.$$eval(
        "main img, main script, main i, main b",
        (all) => all.length,
      );
      expect([view, strange]).toEqual([view, 0]);
    }
    await show(page, "Ranking");
    const text = (await page.textContent("#variables"))!;
    expect(text).toContain(hostile[0]);
    expect(text).toContain("\\u{202e}gnp.exe");
    expect(troubles).toEqual([]);
    await context.close();
  });
});

describe("the page", () => {
  test("cannot reach anybody else, nor can its workers", async () => {
    let asked = 0;
    const elsewhere = createServer((_, response) => {
      asked++;
      response.setHeader("Access-Control-Allow-Origin", "*").end("x");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    for (const { address } of [app, plain]) {
      const { page, context } = await visit(browser, address);
      await openExample(page, "table");
      const reach = (url: string) =>
        fetch(url).then(
          () => "reached",
          () => "refused",
        );
      expect(await page.evaluate(reach, other)).toBe("refused");
      const [worker] = page.workers().filter((w) => !w.url().includes("service-worker"));
      expect(await worker.evaluate(reach, other)).toBe("refused");
      await page.evaluate(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode().catch(() => {});
        navigator.sendBeacon(url, "x");
        try {
          new WebSocket(url.replace("http", "ws"));
        } catch {}
        const form = document.createElement("form");
        form.action = url;
        document.body.append(form);
        form.submit();
      }, other);
      await page.waitForTimeout(200);
      await context.close();
    }
    expect(asked).toBe(0);
    await new Promise((resolve) => elsewhere.close(resolve));
  });

  test("opens and works without a network after the first visit, on a host without headers too", async () => {
    for (const { address } of [app, plain]) {
      const { page, context } = await visit(browser, address);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await context.setOffline(true);
      await page.reload();
      await page.waitForSelector("#drop-title");
      await openExample(page, "table");
      await runToResult(page);
      await page.waitForFunction(() => document.querySelector(".drawing") === null);
      expect(await page.locator("figure svg").count()).toBeGreaterThan(0);
      await context.close();
    }
  });

  test("on a host without headers has one core at the first visit, says so, and gives the same digits", async () => {
    const { page, context, troubles } = await visit(browser, plain.address);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    expect(await page.textContent("#limits")).toContain("uses one core");
    const settings = await writeExample("table", folder);
    await openExample(page, "table");
    await runToResult(page);
    const printed = await command(folder, "explain", "--json", ...explainWords(settings));
    expect(`${await saved(page, "result.json")}`).toBe(printed);
    await page.reload();
    await page.waitForSelector("#drop-title");
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(await page.textContent("#limits")).toContain("cores are used");
    expect(troubles).toEqual([]);
    await context.close();
  });

  test("takes CSV, Parquet, NPZ and PLINK files that are dropped", async () => {
    const { page, context, troubles } = await visit(browser, app.address);
    await writeExample("genotypes", folder);
    await writeExample("digits", folder);
    await writeExample("table", folder);
    const numbers = Array.from({ length: 60 }, (_, i) => Math.cos(i));
    writeFileSync(
      join(folder, "t.parquet"),
      writeParquet([
        { name: "a", kind: "number", values: numbers },
        { name: "b", kind: "number", values: numbers.map((v) => v * v) },
        { name: "y", kind: "number", values: numbers.map((v) => 2 * v + 1) },
      ]),
    );
    const trio = ["people.bed", "people.bim", "people.fam"];
    const expected: [string[], string][] = [
      [["trial.csv"], "1,500 rows, 15 columns"],
      [["t.parquet"], "60 rows, 3 columns"],
      [["digits.npz"], "1,200 rows, 144 columns"],
      [trio, "1,000 rows, 300 columns"],
    ];
    for (const [files, size] of expected) {
      await page.click(".home");
      await page.setInputFiles(
        "input[type=file]",
        files.map((file) => join(folder, file)),
      );
      await page.waitForSelector(`#size:has-text("${size}")`);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });
});
