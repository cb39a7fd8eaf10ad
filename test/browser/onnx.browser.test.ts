import { fileURLToPath } from "node:url";
import { keyFromSeed, normals } from "@ratewise/core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeOnnx } from "../../onnx/test/support/write-onnx.ts";
import { launchBrowser, openPage, type Site, serveSite } from "./harness.ts";
import { answers } from "./onnx/page.ts";

let browser: Browser;
let site: Site;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await serveSite(fileURLToPath(new URL("./onnx", import.meta.url)));
});
afterAll(async () => {
  await site?.close();
  await browser?.close();
});

const next = normals(keyFromSeed(3));
const numbers = (...dims: number[]) => ({
  dims,
  data: Array.from({ length: dims.reduce((product, d) => product * d, 1) }, () => 0.7 * next()),
});
const COLUMNS = 9;
const file = [
  ...writeOnnx({
    inputs: [{ name: "x", shape: ["n", 1, 3, 3] }],
    nodes: [
      { op: "Conv", inputs: ["x", "k"], outputs: ["c"] },
      { op: "Tanh", inputs: ["c"], outputs: ["a"] },
      { op: "Flatten", inputs: ["a"], outputs: ["h"] },
      { op: "Gemm", inputs: ["h", "w"], outputs: ["y"] },
    ],
    weights: { k: numbers(2, 1, 2, 2), w: numbers(8, 1) },
  }),
];
const rows = Array.from({ length: 30 * COLUMNS }, () => Math.fround(next()));

/** With the headers of cross-origin isolation, and without. */
describe.each(["isolated", "plain"] as const)("a network dropped into a page, %s,", (kind) => {
  let page: Page;
  let errors: string[];
  beforeAll(async () => {
    ({ page, errors } = await openPage(browser, site[kind]));
  });

  test("is explained as in Node", async () => {
    const expected = await answers(file, rows, COLUMNS);
    const found = await page.evaluate(
      ([bytes, values, columns]) => network.answers(bytes, values, columns),
      [file, rows, COLUMNS] as const,
    );
    expect(found.by).toBe("onnxruntime-web");
    // Our own operators give the same bits; the runtime promises no more than single precision.
    expect(found.gradient).toEqual(expected.gradient);
    found.hidden.forEach((value, e) => {
      expect(value).toBeCloseTo(expected.hidden[e], 6);
    });
    found.rates.forEach((value, j) => {
      expect(value).toBeCloseTo(expected.rates[j], 6);
    });
    expect(found.rates.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(1, 12);
    expect(errors).toEqual([]);
  });

  test("that is cut off is refused as in Node", async () => {
    const message = await page.evaluate((bytes) => network.refusal(bytes), file.slice(0, 100));
    expect(message).toMatch(/^dropped\.onnx: not an ONNX file, or one that is cut off/);
  });
});
