import { createHash } from "node:crypto";
import { diagnostic } from "@ratewise/core/diagnostic";
import type { ExplainDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { html, listed, trusted } from "../src/html.ts";
import { compareReport, explainReport, formats, networkReport } from "../src/index.ts";
import { pageScript } from "../src/page-script.ts";
import { pageScriptHash } from "../src/page-script-hash.ts";
import {
  classification,
  comparison,
  noise,
  process,
  regression,
  trained,
} from "./support/documents.ts";
import { readable } from "./support/readable.ts";

describe("a regression with everything asked", () => {
  let document: ExplainDocument;
  let page: string;
  beforeAll(async () => {
    document = await regression();
    page = explainReport(document);
  });

  test("is one file that names no address", () => {
    expect(page).toMatch(/^<!doctype html>/);
    const markup = page.replace(/<script\b.*?<\/script>/gs, "");
    const addresses = [...markup.matchAll(/\b(?:src|href|action|data)\s*=\s*"([^"]*)"/g)].map(
      ([, a]) => a,
    );
    expect(addresses.filter((address) => !/^(#|data:,$)/.test(address))).toEqual([]);
    expect(markup).not.toMatch(/url\(|@import|<(link(?! rel="icon")|iframe|object|embed|img)\b/);
    expect(
      page
        .replaceAll("http://www.w3.org/2000/svg", "")
        .replaceAll("http://www.w3.org/1999/xlink", ""),
    ).not.toMatch(/https?:\/\//);
  });

  test("runs no script but its own, whatever columns are called", () => {
    const scripts = [...page.matchAll(/<script\b([^>]*)>/gi)].map(([, attributes]) => attributes);
    expect(scripts).toEqual([' type="application/json" id="result"', ""]);
    expect(page).not.toMatch(/<img/i);
    expect(page).not.toMatch(/<[^>]*\son\w+=/i);
  });

  test("carries the result, which reads back as it was", () => {
    const [, json] = /id="result">(.*?)<\/script>/s.exec(page)!;
    expect(json).not.toContain("<");
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("shows controls and turned text written out", () => {
    expect(page).not.toMatch(/(?![\n\t])\p{Cc}|\u202e/u);
    expect(readable(page)).toContain("\\u{1b}[31mred\\u{7}");
    expect(readable(page)).toContain("a & b \\u{202e}evil");
  });

  test("has the sections in the order of a reader's questions", () => {
    const headings = [...page.matchAll(/<h2 id="([a-z]+)"/g)].map(([, id]) => id);
    expect(headings).toEqual([
      "data",
      "quality",
      "ranking",
      "effects",
      "groups",
      "selection",
      "cautions",
      "model",
      "again",
    ]);
  });

  test("answers first: what matters, how sure, how good, who stands in, what to beware", () => {
    const text = readable(page);
    const [first] = text.split("What was asked");
    expect(first).toContain("the model mostly uses <script>alert(1)</script> (");
    expect(first).toMatch(
      /(1 variable stands|\d variables stand) out from permuted responses at a rate of 50%\. This tests whether anything matters, not single variables/,
    );
    expect(first).toMatch(/Yes: it predicts well\. On 150 rows it never saw, it explains 9\d\.\d%/);
    expect(first).toContain("copy stands in for <script>alert(1)</script> (correlation 0.9");
    expect(first).toContain("Importance is not cause");
    expect(text).toContain("When <script>alert(1)</script> alone grows, the predicted");
    expect(text).toContain("ratewise explain '</script>.csv' --target y");
  });
});

test("a poor model is called so before anything else", async () => {
  const text = readable(explainReport(await noise()));
  const [first] = text.split("What was asked");
  expect(first).toContain(
    "No: it has not learnt to predict this target, and the ranking means little.",
  );
  expect(first).toContain("explains almost nothing");
  expect(first).toContain("Nothing. The model found no variable worth using.");
});

test("two classes have a chance, a mistake table and a reliability figure; three a table a class", async () => {
  const two = explainReport(await classification(["low", "high"]));
  expect(two).toContain('data-name="reliability"');
  expect(readable(two)).toMatch(/predicts the right class in \d+\.\d% of cases/);
  expect(readable(two)).toMatch(
    /true class ?predicted high ?predicted low|true class ?predicted low ?predicted high/,
  );
  // The class is named in directions and in the effects' unit, log-odds.
  expect(readable(two)).toMatch(/alone grows, the probability of (low|high) (rises|falls) with/);
  expect(readable(two)).toMatch(/the prediction is, in log-odds of (low|high), when the variable/);
  const three = explainReport(await classification(["low", "middle", "high"]));
  expect(readable(three)).toContain("Class by class");
  expect(readable(three)).toContain("The probability of each class by");
});

test("a Gaussian process is described instead of drawn", async () => {
  const page = explainReport(await process());
  expect(readable(page)).toContain("A Gaussian process with the kernel rbf");
  expect(page).not.toContain('data-name="architecture"');
  expect(readable(page)).toContain("Not asked: this run ranks, it does not test.");
});

test("effects on a target whose logarithm was learned are said to be on that scale", async () => {
  const document = await regression();
  const effects = /effect: how much higher the prediction is, in (.*?), when/;
  expect(readable(explainReport(document)).match(effects)![1]).toMatch(/^units of /);
  const said = diagnostic("target-logarithm", "The model learned the logarithm.", {});
  const logged = { ...document, diagnostics: [...document.diagnostics, said] };
  expect(readable(explainReport(logged)).match(effects)![1]).toMatch(
    /^the logarithm of .* \(one tenth is about ten percent more\)$/,
  );
});

test("a comparison is a page of its own, or sections of the report when it is given", async () => {
  const compared = await comparison();
  const page = compareReport(compared);
  const { curves } = compared.shuffle;
  for (const [c, { area }] of curves.entries())
    expect(page).toContain(
      `<data value="${area}" data-from="shuffle.curves.${c}.area" data-as="number">${formats.number(area)}</data>`,
    );
  expect(page).toContain('data-name="agreement"');
  expect(page).toContain(`data-from="variables.1.ranks.correlation"`);
  expect(page).not.toContain("<script>alert");
  // No ranking is named best that the test cannot tell from the next; here all three find the cause.
  expect(readable(page)).toMatch(
    /No ranking is clearly better than another here\.|Lowest here, within two standard errors: /,
  );
  const document = await process();
  const both = explainReport(document, { compare: compared });
  expect(both).toContain('data-from="compare.shuffle.curves.0.area"');
  expect(both).toContain('data-name="shuffle-test"');
  expect(explainReport(document)).not.toContain('data-name="shuffle-test"');
});

describe("a network that was trained elsewhere", () => {
  test("has a page with what can be known of it, and the same questions first", async () => {
    const document = await trained("everything");
    const page = networkReport(document);
    const text = readable(page);
    const [first] = text.split("What was asked");
    expect(first).toContain("the model mostly uses <script>alert(1)</script> (80.0%)");
    expect(first).toMatch(
      /Yes: it predicts well\. On the 500 rows given, its output explains 9\d\.\d%/,
    );
    expect(first).toContain("If it was, this score is too good");
    expect(first).toContain("uncertainty of the network's last layer only");
    expect(text).toContain("<net>.onnx");
    expect(text).toContain("written by<b>tests</b>");
    expect(text).toMatch(/noise variance 0\.\d+/);
    const headings = [...page.matchAll(/<h2 id="([a-z]+)"/g)].map(([, id]) => id);
    expect(headings).toEqual([
      "data",
      "quality",
      "ranking",
      "groups",
      "cautions",
      "model",
      "again",
    ]);
    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("<b>tests");
  });

  test("without a response is not judged, and without derivatives has no direct shares", async () => {
    const silent = networkReport(await trained("no response"));
    expect(readable(silent)).toContain("Not known: there is no response to compare it with");
    expect(silent).toContain("<title>What matters to the network</title>");
    const plain = readable(networkReport(await trained("no derivatives")));
    expect(plain).not.toMatch(/Direct: |mostly uses|direct rank/);
    expect(plain).toMatch(/What mattersIts predictions move most closely with .* \(RATE\)\./);
  });
});

test("the policy lets the page's script run and nothing else", () => {
  const hash = createHash("sha256").update(pageScript).digest("base64");
  expect(pageScriptHash).toBe(`sha256-${hash}`);
});

test("what is put into a template is escaped unless it is HTML", () => {
  const name = `<&>"'`;
  expect(
    html`<i title="${name}">${name}${[html`<b>${1}</b>`, null, false]}${trusted("<hr>")}</i>`.html,
  ).toBe('<i title="&lt;&amp;&gt;&quot;&#39;">&lt;&amp;&gt;&quot;&#39;<b>1</b><hr></i>');
  expect(listed([]).html).toBe("");
  expect(listed(["a", "b", "c"].map((text) => html`${text}`)).html).toBe("a, b and c");
});

test.each([
  ["percent", 0.4848, "48.5%"],
  ["percent", 0.0001, "< 0.1%"],
  ["percent", 0, "0.0%"],
  ["percent", -0.0125, "−1.3%"],
  ["percent", -0.0001, "0.0%"],
  ["level", 0.95, "95%"],
  ["count", 12345, "12,345"],
  ["number", 1234.5678, "1235"],
  ["number", 0.00012345, "1.23e-4"],
  ["number", -0.5, "−0.5"],
  ["number", -0.00012345, "−1.23e-4"],
  ["correlation", -0.5, "−0.50"],
  ["signed", 11.4436, "+11.4"],
  ["signed", -0.5, "−0.500"],
  ["signed", 0, "0"],
  ["signed", 43197, "+43197"],
  ["signed", 0.00012, "+1.20e-4"],
  ["short", 3.697, "3.7"],
  ["small", 0.0123, "0.012"],
  ["small", 0.00002, "2e-5"],
  ["correlation", 0.5, "0.50"],
] as const)("%s of %d is printed %s", (as, value, text) => {
  expect(formats[as](value)).toBe(text);
});
