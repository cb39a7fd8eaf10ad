import { fileURLToPath } from "node:url";
import { inlineExecutor, taskId } from "@ratewise/core/parallel";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage, type Site, serveSite } from "./harness.ts";
import { curves, digests, functionNames, walks } from "./pool/tasks.ts";

let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await serveSite(fileURLToPath(new URL("./pool", import.meta.url)));
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

describe("the pool in a browser", () => {
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    ({ page, errors } = await openPage(browser, site.isolated));
  });

  test("gives Node's bytes with 0, 1 and 2 workers", async () => {
    const expected = digests(await inlineExecutor.run(walks));
    expect(new Set(expected).size).toBe(5);
    expect(await page.evaluate(() => ratewise.isolated())).toBe(true);
    for (const workers of [0, 1, 2]) {
      const found = await page.evaluate((workers) => ratewise.walk(workers), workers);
      expect(found, `${workers} workers`).toEqual(expected);
    }
  });

  test("computes every elementary function to Node's bits", async () => {
    const named = (all: string[]) => Object.fromEntries(all.map((d, i) => [functionNames[i], d]));
    const expected = digests(await inlineExecutor.run(curves));
    expect(new Set(expected).size).toBe(functionNames.length);
    expect(functionNames).toEqual(expect.arrayContaining(["exp", "log", "pow", "sin", "tanh"]));
    expect(named(await page.evaluate(() => ratewise.curves()))).toEqual(named(expected));
  });

  test("gives tasks the ids that they have in Node", async () => {
    const payload = { a: [1, "ü"], b: new Float32Array([1, -0]) };
    const found = await page.evaluate(() => ratewise.taskId());
    expect(found).toBe(taskId({ kind: "kind", payload }, "1"));
  });

  test("keeps a task's error, and names the task of a worker that died", async () => {
    expect(await page.evaluate(() => ratewise.fail("ratewise"))).toEqual({
      code: "shape",
      message: "gemm: needs 3 columns, got 2",
    });
    expect(await page.evaluate(() => ratewise.fail("uncaught"))).toEqual({
      code: "worker",
      message: expect.stringMatching(
        /worker running task 0 \("fail"\) died: .*nobody catches this/,
      ),
    });
  });

  test("starts the core's own worker out of a bundle, with its closed list", async () => {
    expect(await page.evaluate(() => ratewise.ownWorker())).toEqual({
      code: "unknown-name",
      message: expect.stringMatching(/^serve: .*got "walk"$/),
    });
  });

  test("ends a running worker on abort", async () => {
    expect(await page.evaluate(() => ratewise.abort())).toEqual({ code: "", message: "enough" });
  });

  test("runs residents over one shared memory and takes them back", async () => {
    for (let round = 0; round < 2; round++)
      expect(await page.evaluate(() => ratewise.lease())).toEqual([9, 9, 0]);
  });

  test("nothing went wrong unseen", () => {
    expect(errors).toEqual([]);
  });
});

test("a page without isolation has no shared memory, and the pool gives the same bytes", async () => {
  const { page, errors } = await openPage(browser, site.plain);
  expect(await page.evaluate(() => ratewise.isolated())).toBe(false);
  const found = await page.evaluate(() => ratewise.walk(2));
  expect(found).toEqual(digests(await inlineExecutor.run(walks)));
  expect(errors).toEqual([]);
});
