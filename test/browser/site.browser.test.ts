import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../support/repository.ts";
import { launchBrowser } from "./harness.ts";

const index = join(root, "site/index.html");
let browser: Browser;
beforeAll(async () => {
  expect(existsSync(index), `${index} is missing; run npm run docs first`).toBe(true);
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The site as it lies on disk, and every address outside that it asks for. */
async function open(): Promise<{ page: Page; outside: string[] }> {
  const page = await browser.newPage();
  const outside: string[] = [];
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) outside.push(request.url());
  });
  await page.goto(pathToFileURL(index).href);
  return { page, outside };
}

test.each([
  ["rateClasses", "@ratewise/core.rateClasses", "Function rateClasses"],
  ["fitGaussianKnockoffs", "@ratewise/core/select.fitGaussianKnockoffs", "fitGaussianKnockoffs"],
  ["explainNetwork", "@ratewise/onnx.explainNetwork", "Function explainNetwork"],
  ["Slurm", "Slurm, step by step", "Slurm, step by step"],
])("from disk, a search for %s finds %s and opens it", async (words, found, heading) => {
  const { page, outside } = await open();
  await page.locator("#tsd-search-trigger").click();
  await page.locator("#tsd-search-input").pressSequentially(words);
  const hit = page.locator("#tsd-search-results a", { hasText: found }).first();
  await hit.waitFor();
  await page.goto(await hit.evaluate((link) => (link as HTMLAnchorElement).href));
  expect(await page.locator("h1").first().textContent()).toContain(heading);
  expect(outside).toEqual([]);
  await page.close();
});

test("the guides lead to each other", async () => {
  const { page } = await open();
  await page.locator(".col-content a", { hasText: "docs/explain.md" }).first().click();
  await page.waitForURL(/\/documents\/ratewise_explain\.html/);
  expect(await page.locator("h1").first().textContent()).toContain("explain");
  await page.close();
});
