import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerOf, DENSE, type HiddenAnswer } from "../../src/hidden/answer.ts";
import { findingsOf } from "../../src/hidden/findings.ts";
import { limitsOf } from "../../src/hidden/method.ts";
import type { Summary } from "../../src/hidden/summary.ts";

const summary: Summary = {
  real: { mean: 0.55, error: 0.01 },
  exchanged: { mean: 0.54, error: 0.02 },
  difference: { mean: 0.011, error: 0.005 },
  genes: {
    withGroups: 0.5,
    withSize: { units: 0.16, groups: 0.32 },
    apoa2: { units: 1, groups: 6 },
  },
  sets: {
    withSize: { real: 0.3, exchanged: 0.2 },
    own: { real: 19, exchanged: 45 },
    between: { real: 0.2, crossed: 0.07 },
  },
};
const base: HiddenAnswer = {
  ...{ summary, splits: 5, mice: 2000, permuted: false },
  sets: [{ name: "Hip" }, { name: "Lipids" }],
  genes: [{ name: "Cd48" }],
  levels: { genes: Float64Array.of(1), sets: Float64Array.of(0.1, 0.3) },
  rest: { genes: 2716, share: 0.078 },
};
const told = (changes: Partial<HiddenAnswer> = {}): string[] =>
  answerOf({ ...base, ...changes }).map((line) => line.replaceAll("**", ""));
const once: Partial<HiddenAnswer> = {
  splits: 1,
  summary: {
    ...summary,
    real: { mean: 0.59, error: Number.NaN },
    exchanged: { mean: 0.58, error: Number.NaN },
    difference: { mean: 0.01, error: Number.NaN },
    sets: { ...summary.sets, between: { real: Number.NaN, crossed: Number.NaN } },
  },
};

test("the recorded study of dense networks is named, and only beside the whole study", () => {
  expect(told()[0]).toContain("dense networks have 0.61 in the recorded study of the mice");
  expect(told(once)[0]).not.toContain("dense");
  expect(told({ permuted: true })[1]).not.toContain("dense");
  const page = readFileSync(new URL("../../../docs/studies/mice.md", import.meta.url), "utf8");
  const [, recorded] = page.match(
    /HDL: correlation in held-out mice, mean of 5 splits .* ([\d.]+) \|/,
  )!;
  expect(DENSE).toBeCloseTo(Number(recorded), 3);
});

test("real sets help only beyond Student's t of the splits", () => {
  expect(told()[0]).toContain("0.011 ± 0.005: the real sets are no help");
  const with_ = (mean: number) =>
    told({ summary: { ...summary, difference: { mean, error: 0.005 } } })[0];
  expect(with_(0.02)).toContain("the real sets do help");
  expect(with_(-0.02)).toContain("the real sets do worse");
});

test("whether size matters less, and whether the locus is found, depends on the numbers", () => {
  expect(told()[1]).toContain("matters less than to groupRATE (Spearman 0.16 and 0.32)");
  expect(told().at(-1)).toContain("find the known locus, with less regard for the sizes");
  const genes = { ...summary.genes, withSize: { units: -0.4, groups: 0.3 } };
  const other = told({ summary: { ...summary, genes } });
  expect(other[1]).toContain("matters more than to groupRATE (Spearman −0.40 and 0.30)");
  expect(other.at(-1)).toContain("with more regard");
  const far = { ...summary.genes, apoa2: { units: 300, groups: 6 } };
  expect(told({ summary: { ...summary, genes: far } }).at(-1)).toContain("miss the known locus");
});

test("of one split nothing is said of what repeats", () => {
  const lines = told(once);
  expect(lines.join()).not.toMatch(/repeat|NaN|median/);
  expect(lines.at(-1)).toMatch(/than groupRATE has\.$/);
  expect(told().at(-1)).toMatch(
    /do not repeat well enough to be told from others of their sizes\.$/,
  );
});

test("the unit of genes in no set is told apart from the sets", () => {
  expect(told()[2]).toContain("First are “Lipids”, “Hip”. The unit of the 2,716 genes in no set");
  expect(told()[2]).toContain("its share is 7.8%");
  expect(told()[2]).toContain("the median place 19 of 2,");
  expect(told({ rest: null })[2]).not.toContain("in no set");
});

test("of a permuted trait it says that nothing should be found, and what was", () => {
  const genes = { ...summary.genes, apoa2: { units: 300, groups: 6 } };
  const control = (mean: number) =>
    told({ permuted: true, summary: { ...summary, genes, real: { mean, error: 0.02 } } });
  expect(control(-0.03)[0]).toContain(
    "nothing should be found. Found was nothing: a correlation of −0.030 ± 0.020 (chance gives up to ±0.10), and the best gene around Apoa2 has place 300.",
  );
  expect(control(0.2)[0]).toContain("Found was more than that");
  expect(control(0.2).join()).not.toContain("In plain words");
});

test("the whole study says that nothing was asked of it, and its numbers have one sign and precision", () => {
  expect(limitsOf(5)[0]).toContain("Nothing was asked of these numbers beforehand");
  expect(limitsOf(1).join()).not.toContain("asked");
  const rows = findingsOf({
    ...base,
    summary: { ...summary, difference: { mean: -0.0105, error: 0.005 } },
  });
  expect(rows.every(({ bar }) => bar === null)).toBe(true);
  expect(rows[2].ours).toBe("−0.011 ± 0.005");
  expect(rows.at(-1)).toMatchObject({ ours: 0.078 });
});
