import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExampleName } from "../../web/test/support/examples.ts";
import { launchBrowser } from "./harness.ts";
import { openExample, runToResult, type Served, serveApp, show, visit } from "./web/served-page.ts";

let browser: Browser;
let app: Served;
beforeAll(async () => {
  browser = await launchBrowser();
  app = await serveApp();
});
afterAll(async () => {
  await app?.close();
  await browser?.close();
});

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly node: string;
}

async function serious(page: Page): Promise<Violation[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    type Found = { id: string; impact: string; nodes: { html: string }[] };
    const { run } = (
      globalThis as unknown as { axe: { run: () => Promise<{ violations: Found[] }> } }
    ).axe;
    return (await run()).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      node: nodes[0].html.slice(0, 200),
    }));
  });
  return found.filter(({ impact }) => impact === "serious" || impact === "critical");
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** What of these has more than it shows, sideways. */
const scrolled = (page: Page, selector: string): Promise<string[]> =>
  page.$$eval(selector, (all) =>
    all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.outerHTML.slice(0, 80)),
  );

/** Does `look` on the first screen, on the choices with everything unfolded, and on every view of the result in full. */
async function everyScreen(
  page: Page,
  example: ExampleName,
  look: (screen: string) => Promise<void>,
): Promise<void> {
  await look("start");
  await openExample(page, example);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await look("columns");
  // How sure the ranks are adds columns to the ranking.
  if (example === "table") await page.check("#stability");
  await runToResult(page);
  for (const view of await page.$$eval(".tabs button", (all) => all.map((b) => b.textContent!))) {
    await show(page, view);
    if (view === "What if") {
      await page.click("#nullify-name");
      await page.keyboard.type(
        await page.$eval("#variable-names option", (o) => o.getAttribute("value")!),
      );
      await page.keyboard.press("Enter");
      await page.waitForSelector("#changes");
    }
    if (view === "Other methods" && example === "table") {
      await page.click("#compare-quick");
      await page.waitForSelector("#method-ranks", { timeout: 60_000 });
    }
    await page.waitForFunction(() => document.querySelector(".drawing") === null);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    await look(view);
  }
  await show(page, "Ranking");
  await page.click("#variables tbody .text-button");
  await page.waitForFunction(() => document.querySelector(".drawing") === null);
  await look("variable");
}

describe.each(["light", "dark"] as const)("in the %s", (colorScheme) => {
  test.each(["table", "digits", "genotypes", "network"] as const)(
    "nothing serious for axe-core on any screen of the example %s",
    async (example) => {
      const { page, context } = await visit(browser, app.address, {
        colorScheme,
        bypassCSP: true,
        reducedMotion: "reduce",
      });
      await everyScreen(page, example, async (screen) => {
        expect([screen, await serious(page)]).toEqual([screen, []]);
      });
      await context.close();
    },
  );
});

test.each(["table", "digits", "genotypes", "network"] as const)(
  "no screen of the example %s is wider than a phone, no figure scrolls, and none speaks of options",
  async (example) => {
    const { page, context } = await visit(browser, app.address, {
      viewport: { width: 360, height: 740 },
    });
    await everyScreen(page, example, async (screen) => {
      expect([screen, await overflow(page)]).toEqual([screen, 0]);
      expect([screen, await scrolled(page, "figure .wide")]).toEqual([screen, []]);
      // The page has choices of its own; only the command line that it shows names the command's.
      const text = await page.$eval("main", (main) => {
        const copy = main.cloneNode(true) as HTMLElement;
        for (const part of copy.querySelectorAll("#command")) part.remove();
        return copy.textContent!;
      });
      expect([screen, text.match(/.{20}--[a-z].{20}/g)]).toEqual([screen, null]);
    });
    await context.close();
  },
);

test("a ranking with all its columns fits 1280 pixels", async () => {
  const { page, context } = await visit(browser, app.address, {
    viewport: { width: 1280, height: 800 },
  });
  await openExample(page, "table");
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  await page.check("#stability");
  await page.fill('label:has-text("Select findings") input', "fdr=0.1");
  await page.selectOption('label:has-text("How to select") select', "permutation");
  await runToResult(page);
  await show(page, "Ranking");
  expect(await page.textContent("#variables thead")).toMatch(/stands in for.*selected.*effect/);
  expect(await scrolled(page, "main .wide")).toEqual([]);
  await context.close();
});

test("whatever the keyboard comes to shows that it is there, on every screen", async () => {
  const { page, context } = await visit(browser, app.address);
  await everyScreen(page, "table", async (screen) => {
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
    const unseen: string[] = [];
    let stops = 0;
    for (; stops < 150; stops++) {
      await page.keyboard.press("Tab");
      const here = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at === document.body) return null;
        // A hidden input of files shows itself by its label.
        const shown = at.matches(".hidden-input") ? at.closest("label")! : at;
        const { outlineStyle, outlineWidth } = getComputedStyle(shown);
        const { width, height } = shown.getBoundingClientRect();
        const seen = outlineStyle !== "none" && outlineWidth !== "0px" && width * height > 50;
        return seen ? "" : shown.outerHTML.slice(0, 120);
      });
      if (here === null) break;
      if (here !== "") unseen.push(here);
    }
    expect([screen, unseen]).toEqual([screen, []]);
    expect(stops).toBeGreaterThan(4);
  });
  await context.close();
});

test("everything from a search to a saved file is done by keyboard alone", async () => {
  const { page, context } = await visit(browser, app.address);
  /** Tab until the element that has the focus matches. */
  const tabTo = async (selector: string): Promise<void> => {
    for (let tab = 0; tab < 200; tab++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return;
    }
    throw new Error(`Tab never came to ${selector}`);
  };
  const tabs = async (title: string): Promise<void> => {
    for (let tab = 0; tab < 200; tab++) {
      await page.keyboard.press("Tab");
      const here = await page.evaluate(() =>
        document.activeElement?.closest(".tabs") ? document.activeElement.textContent : null,
      );
      if (here === title) return page.keyboard.press("Enter");
    }
    throw new Error(`Tab never came to ${title}`);
  };
  await tabTo(".card");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#run");
  await tabTo('[aria-label="use marker_8"]');
  await page.keyboard.press("Space");
  await page.waitForSelector('#columns tr:has-text("left out as asked")');
  await tabTo("#run");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".result-title", { timeout: 60_000 });
  // The focus goes to what is new.
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("result-title");
  await tabs("Ranking");
  await tabTo("#variables-search");
  await page.keyboard.type("marker_1");
  await tabTo("#variables tbody .text-button");
  // The focus moves with the page, not some time after it.
  const focused = await page.evaluateHandle(() => {
    const there = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector("#variable")) return;
        observer.disconnect();
        resolve(document.activeElement?.textContent);
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    return { there };
  });
  await page.keyboard.press("Enter");
  expect(await focused.evaluate(({ there }) => there)).toBe("marker_1");
  await tabTo("#nullify");
  await page.keyboard.press("Enter");
  await page.waitForSelector('#changes tr[data-name="marker_1"]:has-text("set to zero")');
  await tabTo("#changes th button");
  await page.keyboard.press("Enter");
  // Back to the views: the focus goes round the page.
  await tabs("Save");
  await tabTo('[data-file="report.html"]');
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.keyboard.press("Enter"),
  ]);
  expect(download.suggestedFilename()).toBe("report.html");
  await context.close();
});

test("what loads before anything is asked for is under 400 KB gzipped, workers too", () => {
  const assets = fileURLToPath(new URL("../../cli/dist/page/", import.meta.url));
  const html = readFileSync(join(assets, "index.html"), "utf8");
  const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(first.length).toBeGreaterThan(1);
  const sizes = first.map((path) => gzipSync(readFileSync(join(assets, path))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(100_000);
  const workers = readdirSync(join(assets, "assets")).filter((name) => /^main-.*\.js$/.test(name));
  expect(workers.length).toBeGreaterThan(0);
  for (const name of workers)
    expect(gzipSync(readFileSync(join(assets, "assets", name))).length).toBeLessThan(400_000);
});
