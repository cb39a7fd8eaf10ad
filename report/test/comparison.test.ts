import { compare, fold, keyFromSeed, normals, table } from "@ratewise/core";
import { diagnostic } from "@ratewise/core/diagnostic";
import type { CompareDocument } from "@ratewise/core/explain";
import { beforeAll, expect, test } from "vitest";
import { comparisonSections } from "../src/comparison.ts";
import { compareReport, formats } from "../src/index.ts";

const n = 60;
const next = normals(fold(keyFromSeed(1), "comparison"));
const column = () => Float64Array.from({ length: n }, () => next());
const a = column();
const source = table([
  { kind: "number", name: "a", values: a },
  { kind: "number", name: "b", values: column() },
  { kind: "number", name: "c", values: column() },
  { kind: "number", name: "y", values: a.map((value) => 2 * value + 0.2 * next()) },
]);

let document: CompareDocument;
let page: string;
beforeAll(async () => {
  let time = 0;
  ({ document } = await compare(source, {
    target: "y",
    methods: ["rate", "gbm", "tree-shap", "group-lasso", "correlation"],
    groups: () => [
      { name: "<first>", members: [0] },
      { name: "rest", members: [1, 2] },
    ],
    search: { candidates: 2, folds: 2 },
    repeats: 2,
    workers: 0,
    clock: () => ++time,
  }));
  page = compareReport(document);
}, 120_000);

test("the page has the groups by every method", () => {
  expect(page).toContain('<h2 id="groups">Groups by every method</h2>');
  expect(page).toContain('data-from="groups.1.ranks.rate" data-as="count">2</data>');
  expect(page).toContain("&lt;first&gt;");
  expect(compareReport({ ...document, groups: [] })).not.toContain('id="groups"');
});

test("it says what each method looks at, and how well a mimic repeats the model", () => {
  const row = (name: string) =>
    new RegExp(`<tr><td>${name}</td><td>([^<]*)</td><td class="n">(.*?)</td>`).exec(page)!;
  expect(row("RATE").slice(1)).toEqual(["the model", ""]);
  expect(row("correlation")[1]).toBe("the data alone");
  const { mimicScore } = document.methods[3];
  expect(row("group-lasso")[1]).toBe("a mimic of it");
  expect(row("group-lasso")[2]).toBe(
    `<data value="${mimicScore}" data-from="methods.3.mimicScore" data-as="number">${formats.number(mimicScore!)}</data>`,
  );
});

test("it shows each search once, with the first candidate and the best", () => {
  const searches = /<table id="searches">(.*?)<\/table>/s.exec(page)![1];
  expect([...searches.matchAll(/<tr><td>([^<]+)</g)].map(([, name]) => name)).toEqual([
    "gbm",
    "group-lasso",
  ]);
  const { best } = document.methods[1].search!;
  expect(searches).toContain('data-from="methods.1.search.candidates.0.mean"');
  expect(searches).toContain(`data-from="methods.1.search.candidates.${best}.mean"`);
  const other = document.methods.map((method) =>
    method.search ? { ...method, search: { ...method.search, best: 1 } } : method,
  );
  const { l2 } = document.methods[1].search!.candidates[1].settings;
  expect(compareReport({ ...document, methods: other })).toContain(
    `<code>l2</code> <data value="${l2}" data-from="methods.1.search.candidates.1.settings.l2" data-as="number">`,
  );
  const without = document.methods.map((method) => ({ ...method, search: null }));
  expect(compareReport({ ...document, methods: without })).not.toContain('id="searches"');
});

test("it promises the same bytes only where nobody took the time", () => {
  expect(page).toContain("the same numbers (except for the seconds that methods took),");
  const untimed = document.methods.map((method) => ({ ...method, seconds: null }));
  expect(compareReport({ ...document, methods: untimed })).toContain("give the same bytes,");
});

test("notes on single methods stand in an explanation's sections too, and once on a page of their own", () => {
  const note = { ...diagnostic("ranks-nothing", "gbm found nothing."), method: "gbm" };
  const noted = { ...document, diagnostics: [note] };
  expect(comparisonSections(noted, "compare.").html).toContain(
    '<li><span data-from="compare.diagnostics.0.message">gbm found nothing.</span></li>',
  );
  const markup = compareReport(noted).replace(/<script\b.*?<\/script>/gs, "");
  expect(markup.match(/gbm found nothing/g)).toHaveLength(1);
});

test("a method that ranks nothing has dashes and a word about them", () => {
  const ranks = document.variables.map((row) => ({ ...row, ranks: { ...row.ranks, gbm: null } }));
  const curves = document.shuffle.curves.filter(({ name }) => name !== "gbm");
  const shuffle = { ...document.shuffle, curves };
  const nothing = compareReport({ ...document, variables: ranks, shuffle });
  expect(nothing).toMatch(
    /<tr><td>gbm<\/td><td>a mimic of it<\/td>.*?<span class="none">–<\/span>/,
  );
  expect(nothing).toContain("A method that gives every variable the same score has no ranks");
});

test("a comparison that an earlier version wrote has the page of this one", async () => {
  const former = "gradient-rate";
  const { document: now } = await compare(source, {
    target: "y",
    methods: ["rate", "gradient"],
    repeats: 2,
  });
  const then = JSON.parse(JSON.stringify(now).replaceAll('"gradient"', `"${former}"`));
  expect(compareReport(then)).toBe(compareReport(now));
  expect(JSON.stringify(then)).toContain(former);
});
