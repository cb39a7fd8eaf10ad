import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { diagnosticOf } from "@ratewise/core/diagnostic";
import type { ExplainDocument } from "@ratewise/core/explain";
import { label } from "@ratewise/plots";
import {
  compareReport,
  explainReport,
  type FormatName,
  formats,
  networkReport,
} from "@ratewise/report";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  classification,
  compared,
  comparison,
  contrary,
  regression,
  trained,
} from "../../report/test/support/documents.ts";
import { launchBrowser } from "./harness.ts";

const folder = mkdtempSync(join(tmpdir(), "ratewise-report-"));
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** Console errors, uncaught errors, and every address asked for but the page itself. */
  readonly troubles: string[];
}

async function open(name: string, content: string, options: object = {}): Promise<Opened> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const page = await browser.newPage(options);
  const troubles: string[] = [];
  const address = pathToFileURL(path).href;
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:"))
      troubles.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, troubles };
}

/** The value at a path such as variables.3.rate. */
const at = (document: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);

/** A result as result.json has it, and its page. */
interface Reported {
  readonly result: { readonly variables: readonly { readonly name: string }[] };
  readonly page: string;
}

const asWritten = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const explained = async (make: Promise<ExplainDocument>): Promise<Reported> => {
  const result = asWritten(await make);
  return { result, page: explainReport(result) };
};

const reports: [string, () => Promise<Reported>][] = [
  ["a regression with everything asked", () => explained(regression())],
  ["a rate out of reach and two directions", () => explained(contrary())],
  ["two classes", () => explained(classification(["low", "high"]))],
  ["three classes", () => explained(classification(["low", "<i>middle</i>", "high"]))],
  [
    "a regression with other methods",
    async () => {
      const { document, compare } = asWritten(await compared());
      return { result: { ...document, compare }, page: explainReport(document, { compare }) };
    },
  ],
  [
    "a comparison",
    async () => {
      const result = asWritten(await comparison());
      return { result, page: compareReport(result) };
    },
  ],
  [
    "a network from elsewhere",
    async () => {
      const result = asWritten(await trained("everything"));
      return { result, page: networkReport(result) };
    },
  ],
];

describe.each(reports)("the report of %s", (title, make) => {
  let result: Reported["result"];
  let html: string;
  let opened: Opened;
  beforeAll(async () => {
    ({ result, page: html } = await make());
    opened = await open(`${title.replaceAll(" ", "-")}.html`, html);
  });

  test("prints no number that result.json does not have", async () => {
    const printed = await opened.page.$$eval("data", (all) =>
      all.map((element) => ({
        value: element.getAttribute("value")!,
        text: element.textContent!,
        from: element.getAttribute("data-from")!,
        as: element.getAttribute("data-as")!,
      })),
    );
    expect(printed.length).toBeGreaterThan(20);
    for (const { value, text, from, as } of printed) {
      const truth = at(result, from);
      expect([from, Number(value)]).toEqual([from, truth]);
      expect([from, text]).toEqual([from, formats[as as FormatName](truth as number)]);
    }
  });

  test("quotes result.json word for word, and says nothing else with a digit in it", async () => {
    const quoted = await opened.page.$$eval("[data-from]:not(data)", (all) =>
      all.map((element) => [element.getAttribute("data-from")!, element.textContent!]),
    );
    for (const [from, text] of quoted)
      expect(text).toBe(label(at(result, from) as string, Number.POSITIVE_INFINITY));
    const names = new Set(
      await opened.page.$$eval("bdi.name", (all) => all.map((e) => e.textContent!)),
    );
    const json = JSON.stringify(result);
    const known = new Set(
      [...json.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => label(JSON.parse(text), 400)),
    );
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
    const rest = await opened.page.evaluate(() => {
      const copy = document.body.cloneNode(true) as HTMLElement;
      for (const apart of copy.querySelectorAll(
        "data, [data-from], bdi, svg, script, code, [data-constant], [data-options]",
      ))
        apart.remove();
      return copy.textContent!;
    });
    expect(rest).not.toMatch(/\d/);
  });

  test("lists every variable once", async () => {
    const names = await opened.page.$$eval("#variables tbody tr", (rows) =>
      rows.map((row) => row.querySelector(".name")!.textContent!),
    );
    const expected = result.variables.map(({ name }) => label(name, 400));
    expect(names.toSorted()).toEqual(expected.toSorted());
  });

  test.each(["light", "dark"] as const)(
    "has nothing serious for axe-core in the %s",
    async (colorScheme) => {
      const { page, troubles } = await open(`axe-${colorScheme}.html`, html, {
        colorScheme,
        bypassCSP: true,
      });
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      await page.evaluate(axe.source);
      const violations = await page.evaluate(async () => {
        const run = (
          globalThis as unknown as {
            axe: {
              run: () => Promise<{
                violations: { id: string; impact: string; nodes: { html: string }[] }[];
              }>;
            };
          }
        ).axe.run;
        const { violations } = await run();
        return violations.map(({ id, impact, nodes }) => ({
          id,
          impact,
          node: nodes[0].html.slice(0, 200),
        }));
      });
      expect(
        violations.filter(({ impact }) => impact === "serious" || impact === "critical"),
      ).toEqual([]);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(colorScheme === "dark" ? "rgb(18, 24, 31)" : "rgb(255, 255, 255)");
      expect(troubles).toEqual([]);
      await page.close();
    },
  );

  test("fits a phone, and prints in light colours without its buttons", async () => {
    const { page } = await open("narrow.html", html, {
      viewport: { width: 360, height: 740 },
      colorScheme: "dark",
    });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(360);
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      "rgb(255, 255, 255)",
    );
    expect(await page.locator("button[data-save]").first().isVisible()).toBe(false);
    await page.close();
  });

  test("reads without its script", async () => {
    const { page } = await open("plain.html", html, {
      javaScriptEnabled: false,
    });
    expect(await page.locator("#variables tbody tr").count()).toBe(result.variables.length);
    expect(await page.locator("input[type=search]").isVisible()).toBe(false);
    await page.close();
  });

  test("nothing went wrong unseen, and nobody was asked for anything", () => {
    expect(opened.troubles).toEqual([]);
  });
});

describe("a reader", () => {
  let result: ExplainDocument;
  let opened: Opened;
  beforeAll(async () => {
    result = JSON.parse(JSON.stringify(await regression()));
    opened = await open("reader.html", explainReport(result), { acceptDownloads: true });
  });
  const column = (title: string) =>
    opened.page.evaluate((title) => {
      const table = document.querySelector<HTMLTableElement>("#variables")!;
      const heads = [...table.tHead!.rows[0].cells].map((cell) => cell.textContent);
      const at = heads.indexOf(title);
      return [...table.tBodies[0].rows]
        .filter((row) => !row.hidden)
        .map((row) => row.cells[at].querySelector("data")?.value ?? row.cells[at].textContent);
    }, title);

  test("finds the variables in the order of their rank", async () => {
    const ranked = [...result.variables].sort((a, b) => a.rank! - b.rank!);
    expect(await column("variable")).toEqual(ranked.map(({ name }) => label(name, 400)));
  });

  test("sorts by any column, both ways", async () => {
    const { page } = opened;
    const sorted = result.variables.map(({ direct }) => direct!.rate).sort((a, b) => b - a);
    await page.click('#variables th button:text-is("direct")');
    expect((await column("direct")).map(Number)).toEqual(sorted);
    expect(await page.getAttribute("#variables th[aria-sort]", "aria-sort")).toBe("descending");
    await page.click('#variables th button:text-is("direct")');
    expect((await column("direct")).map(Number)).toEqual([...sorted].reverse());
    await page.focus('#variables th button:text-is("rank")');
    await page.keyboard.press("Enter");
    expect((await column("rank")).map(Number)).toEqual([1, 2, 3, 4, 5]);
  });

  test("filters, and is told how much is shown", async () => {
    const { page } = opened;
    await page.fill("#search", "SCRIPT");
    const found = await column("variable");
    expect(found).toContain("<script>alert(1)</script>");
    expect(found.length).toBeLessThan(5);
    expect(await page.textContent(".tools output")).toBe(`${found.length} of 5 shown`);
    await page.fill("#search", "");
    expect(await column("variable")).toHaveLength(5);
  });

  test("searches names alone, and is told when none is found", async () => {
    const { page } = opened;
    // Letters of "selected" and "yes", which stand in every row but in one name only.
    await page.fill("#search", "cop");
    expect(await column("variable")).toEqual(["copy"]);
    await page.fill("#search", "not drawn");
    expect(await column("variable")).toEqual([]);
    expect(await page.textContent(".tools output")).toBe("No name contains this");
    await page.fill("#search", "");
  });

  test("prints every row and every fold, whatever was filtered or closed", async () => {
    const { page } = opened;
    await page.fill("#search", "copy");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("#variables tbody tr:visible").count()).toBe(5);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await page.locator("details:not([open])").count()).toBe(0);
    expect(await page.locator("pre[data-constant]").isVisible()).toBe(true);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    expect(await page.locator("details[open]").count()).toBe(0);
    await page.emulateMedia({ media: "screen" });
    expect(await page.locator("#variables tbody tr:visible").count()).toBe(1);
    await page.fill("#search", "");
  });

  test("on a phone reads figures without a glass, and keeps the names while swiping the table", async () => {
    const { page } = await open("phone.html", explainReport(result), {
      viewport: { width: 320, height: 640 },
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    const letters = await page.$$eval("figure svg", (all) =>
      all
        .filter((svg) => svg.getBoundingClientRect().width > 0)
        .map((svg) => (12 * svg.getBoundingClientRect().width) / Number(svg.getAttribute("width"))),
    );
    expect(letters.length).toBeGreaterThan(3);
    expect(Math.min(...letters)).toBeGreaterThan(10);
    expect(await page.locator(".swipe").isVisible()).toBe(true);
    const name = page.locator("#variables tbody tr td:nth-child(2)").first();
    await page.$eval(".wide:has(#variables)", (box) => box.scrollBy(10_000, 0));
    const [left, edge] = [await name.boundingBox(), await page.locator("#variables").boundingBox()];
    expect(left!.x).toBeGreaterThanOrEqual(0);
    expect(edge!.x).toBeLessThan(-100);
    await page.close();
  });

  test("turns the theme", async () => {
    const { page } = opened;
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await background();
    await page.click("#theme");
    expect(await background()).not.toBe(before);
    await page.click("#theme");
    expect(await background()).toBe(before);
  });

  test("saves figures as they are drawn, and the result", async () => {
    const { page } = opened;
    const saved = async (selector: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const svg = await saved('figure[data-name="importance"] button[data-save="svg"]');
    expect(svg.name).toBe("importance.svg");
    expect(`${svg.bytes}`).toMatch(/^<svg /);
    expect(`${svg.bytes}`).not.toContain("var(--");
    const png = await saved('figure[data-name="importance"] button[data-save="png"]');
    expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
    const json = await saved('button[data-save="json"]');
    expect(JSON.parse(`${json.bytes}`)).toEqual(result);
  });

  test("given the page alone can say what matters, how sure, how good, who stands in, and what to beware", async () => {
    const answers = Object.fromEntries(
      await opened.page.$$eval("dl.answers dt", (terms) =>
        terms.map((term) => [
          term.textContent!,
          term.nextElementSibling!.textContent!.replace(/\s+/g, " "),
        ]),
      ),
    );
    const { variables, model, diagnostics } = result;
    const first = variables.find(({ direct }) => direct!.rank === 1)!;
    const standIn = variables.find(({ standInFor }) => standInFor !== null)!;
    expect(answers["What matters"]).toContain(
      `mostly uses ${first.name} (${formats.percent(first.direct!.rate)})`,
    );
    const { selected } = diagnosticOf(diagnostics, "selection")!;
    expect(answers["How sure"]).toMatch(
      selected === 1
        ? /^1 variable stands out from permuted responses/
        : new RegExp(`^${selected} variables stand out from permuted responses`),
    );
    expect(answers["Is the model good"]).toContain(
      `explains ${formats.percent(model.heldOut.score)}`,
    );
    expect(answers["Stand-ins"]).toContain(`${standIn.name} stands in for ${standIn.standInFor}`);
    expect(answers.Beware).toContain("Importance is not cause");
    expect(opened.troubles).toEqual([]);
  });
});
