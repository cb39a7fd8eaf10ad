import { type DiagnosticCode, diagnostic, diagnosticOf } from "@ratewise/core/diagnostic";
import { type ExplainDocument, methodTable } from "@ratewise/core/explain";
import { beforeAll, expect, test } from "vitest";
import { explainReport, formats } from "../src/index.ts";
import { contrary } from "./support/documents.ts";
import { answersIn, readable } from "./support/readable.ts";

let document: ExplainDocument;
let page: string;
let text: string;
beforeAll(async () => {
  document = await contrary();
  page = explainReport(document);
  text = readable(page);
});
const note = <Code extends DiagnosticCode>(code: Code) => diagnosticOf(document.diagnostics, code)!;
const rowOf = (name: string): string =>
  readable(
    page
      .split('id="variables"')[1]
      .split("<tr>")
      .find((row) => row.includes(`<bdi class="name">${name}</bdi>`))!,
  );

test("a rate out of reach is reported in the box and in the cautions, and q's floor below the table", () => {
  expect(answersIn(page)["How sure"]).toContain(
    "a false discovery rate of 10% is out of reach with so few variables, because knockoffs must select at least 10.",
  );
  expect(answersIn(page)["How sure"]).not.toContain("0 variables were selected");
  const [, cautions] = text.split("What to keep in mind");
  expect(cautions).toContain(note("selection-out-of-reach").message);
  expect(text).toContain("With knockoffs, q is never below one divided by");
});

test("only knockoffs call what they select findings", () => {
  const sure = (by: "knockoffs" | "permutation"): string => {
    const diagnostics = document.diagnostics.map((found) =>
      found.code === "selection" ? { ...found, by, selected: 2, outOfReach: false } : found,
    );
    return answersIn(explainReport({ ...document, diagnostics }))["How sure"];
  };
  expect(sure("knockoffs")).toContain(
    "2 variables were selected as findings, at a false discovery rate of 10%",
  );
  expect(sure("permutation")).toContain("2 variables stand out from permuted responses");
  expect(sure("permutation")).not.toContain("finding");
});

test("stand-ins are found by a rule that is stated, columns that repeat others are named", () => {
  const none = {
    ...document,
    diagnostics: document.diagnostics.filter(({ code }) => code !== "near-stand-ins"),
    variables: document.variables.map((variable) => ({
      ...variable,
      standInFor: null,
      ...(variable.name === "noise1" && {
        rate: 0.09,
        direct: { ...variable.direct!, rate: 0.04 },
      }),
    })),
  };
  const near = diagnostic(
    "near-stand-ins",
    "Nearly stand-ins: held for cause (correlation 0.61).",
    { names: ["held"], for: ["cause"], correlations: [0.61] },
  );
  const rule = "a direct share below that average and less than a quarter of its RATE";
  const answer = answersIn(explainReport(none))["Stand-ins"];
  expect(answer).toContain("None. A stand-in would have a RATE above the average");
  // RATE above the direct share is not enough: the run says whether the two are correlated.
  expect(answer).not.toContain("noise1");
  expect(answer).not.toContain("Close to it");
  const withNear = { ...none, diagnostics: [...none.diagnostics, near] };
  expect(answersIn(explainReport(withNear))["Stand-ins"]).toContain(
    "Close to it: held for cause (correlation 0.61), with a RATE of more than twice the direct share.",
  );
  expect(answer).toMatch(
    /The columns cause and twin can almost be computed from the other columns/,
  );
  expect(note("copies-near-originals").message).toContain("These are cause, twin.");
  expect(text.split(rule).length).toBeGreaterThan(1);
  expect(text).not.toContain("may be a stand-in");
});

test("a curve against the effect is reported in table, caption and cautions", () => {
  const held = document.variables.find(({ name }) => name === "held")!;
  expect(held.mean).toBeGreaterThan(2 * held.sd!);
  expect(note("opposite-signs").names).toEqual(["held"]);
  expect(rowOf("held")).toContain(
    `${formats.signed(held.mean!)} ± ${formats.short(held.sd!)}falls (opposite)`,
  );
  expect(rowOf("cause")).not.toContain("(opposite)");
  expect(text).toContain(
    "When held alone grows, the predicted y falls. The opposite holds if everything that usually moves with held",
  );
  expect(text).toContain(note("opposite-signs").message);
});

test("it says which curves are not drawn, and that bands show rows, not confidence", () => {
  const drawn = new Set(document.shapes.map(({ name }) => name));
  const [missing] = document.variables.filter(({ name }) => !drawn.has(name));
  expect(rowOf(missing.name)).toContain("not drawn");
  expect(text).toContain("The band shows how rows differ, not how sure the model is.");
});

test("a column of two numbers goes from one to the other", () => {
  expect(text).toContain("From coin 1 to coin 2, the predicted y falls.");
  expect(text).not.toContain("coin alone grows");
});

test("coverage comes with the bounds that so many rows leave, and is not about importances", () => {
  const [, , { covered, between }] = document.calibration.intervals!;
  expect(between[0]).toBeLessThan(covered);
  expect(answersIn(page)["Is the model good"]).toContain(
    `in ${formats.percent(covered)} of those rows (for all such rows, between ${formats.percent(between[0])} and ${formats.percent(between[1])})`,
  );
  expect(text).toContain("about its predictions, not about the importances");
  expect(text).not.toContain("can be believed");
});

test("RATE and direct are told in the same words in the section and in the method", () => {
  expect(text).toContain(
    `RATE: ${methodTable.rate.asks}. It is high for the variables that the model uses`,
  );
  expect(text).toContain(`Direct: ${methodTable.gradient.asks}. It is low`);
  expect(text).toContain(
    `RATE is ${methodTable.rate.asks}, as a share of the whole; direct is ${methodTable.gradient.asks}`,
  );
  expect(text).not.toContain("high for causes");
});

test("effects have the target's units, and the chance of a place says of which", () => {
  expect(text).toContain("how much higher the prediction is, in units of y, when the variable");
  const stable = {
    ...document,
    variables: document.variables.map((variable) => ({ ...variable, topK: 0.5 })),
    diagnostics: [...document.diagnostics, diagnostic("stability", "", { top: 3 })],
  };
  expect(readable(explainReport(stable))).toContain("in the first 3");
});

test("a variable that acts only together with others has no direction", () => {
  const shapes = document.shapes.map((shape) =>
    shape.name === "held"
      ? { ...shape, curves: [{ ...shape.curves[0], shape: "depends on others" as const }] }
      : shape,
  );
  const told = explainReport({ ...document, shapes });
  expect(answersIn(told)["What matters"]).toMatch(
    /the predicted y rises with [^.]*\. What held does depends on other variables: the predicted y rises with it in some rows and falls in others\.$/,
  );
  expect(readable(told)).not.toContain("With growing held alone");
});

test("the first answer says which way the leading variables work", () => {
  expect(answersIn(page)["What matters"]).toMatch(
    /When one of them alone grows, the predicted y rises with .*(twin|cause).* and falls with .*held/,
  );
});
