import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Table, table } from "../../../src/data/index.ts";
import {
  attributeColumns,
  attributeTableRows,
  columnsInTableUnits,
  type Explained,
  explain,
  predictTable,
  readModel,
  readSaliencyModel,
  writeModel,
} from "../../../src/explain/index.ts";
import { withoutExpansions } from "../../../src/explain/prepare/expand.ts";
import { matrix } from "../../../src/linalg/index.ts";
import { closeWorkers } from "../../../src/parallel/index.ts";
import { fold, keyFromSeed, normals, uniforms } from "../../../src/random/index.ts";

afterAll(closeWorkers);

const SAW = [3, -1, 2, 0, 3, -2, 1, -1, 2, -3, 3, 0];

/** Months have effects that jump up and down; `slope` has a straight one. */
function monthly(n: number, label: string): Table {
  const next = normals(fold(keyFromSeed(11), label));
  const uniform = uniforms(fold(keyFromSeed(12), label));
  const month = Float64Array.from({ length: n }, () => 1 + Math.floor(12 * uniform()));
  const slope = Float64Array.from({ length: n }, () => 50 + 10 * next());
  const noise = Float64Array.from({ length: n }, next);
  const y = month.map((m, i) => SAW[m - 1] + 0.1 * (slope[i] - 50) + 0.5 * next());
  return table([
    { kind: "number", name: "slope", values: slope },
    { kind: "number", name: "month", values: month },
    { kind: "number", name: "noise", values: noise },
    { kind: "number", name: "y", values: y },
  ]);
}

describe("a variable with a rough effect", () => {
  const source = monthly(1500, "rows");
  const asked = { target: "y", hidden: [16, 8], groups: () => [{ name: "both", members: [0, 1] }] };
  let explained: Explained;
  beforeAll(async () => {
    explained = await explain(source, { ...asked, stability: true });
  });

  test("is expanded, and the answer says so in one line", () => {
    const { model, diagnostics } = explained.document;
    expect(model.expansions).toEqual([
      {
        name: "month",
        kind: "values",
        knots: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        gain: expect.objectContaining({ convincing: true }),
      },
    ]);
    expect(model.inputs).toBe(15);
    const lines = diagnostics.filter(({ code }) => code === "rough-effect");
    expect(lines.map(({ message }) => message)).toEqual([
      "month: 12 values, each with its own effect. Rows held back from training were predicted better that way.",
    ]);
    expect(model.heldOut.score).toBeGreaterThan(0.9);
  });

  test("is one row of every result", () => {
    const { variables, groups } = explained.document;
    expect(variables.map(({ name }) => name)).toEqual(["slope", "month", "noise"]);
    const month = variables[1];
    expect([month.rank, month.direct!.rank]).toEqual([1, 1]);
    expect(variables.reduce((sum, { rate }) => sum + rate!, 0)).toBeCloseTo(1, 10);
    expect(variables.reduce((sum, { direct }) => sum + direct!.rate, 0)).toBeCloseTo(1, 10);
    // Several columns have no one mean.
    expect([month.mean, variables[0].mean === null]).toEqual([null, false]);
    expect(month.rankInterval![0]).toBeGreaterThanOrEqual(1);
    expect(groups[0].direct!.rate).toBeGreaterThan(0);
  });

  test("has a curve through all of its values, near its effects", () => {
    const { shapes } = explained.document;
    const month = shapes.find(({ name }) => name === "month")!;
    expect(month.values).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const middle = SAW.reduce((sum, height) => sum + height / 12, 0);
    month.curves[0].mean.forEach((value, k) => {
      expect(Math.abs(value - (SAW[k] - middle))).toBeLessThan(1);
    });
  });

  test("is predicted from its one column by a model that was written and read", () => {
    const model = readModel(writeModel(explained.model), "model.ratewise");
    const fresh = monthly(300, "fresh");
    const { mean } = predictTable(model, fresh);
    expect(mean).toEqual(predictTable(explained.model, fresh).mean);
    const y = fresh.columns[3].kind === "number" ? fresh.columns[3].values : new Float64Array();
    const error = y.reduce((sum, value, i) => sum + (value - mean![i]) ** 2 / 300, 0);
    expect(error).toBeLessThan(0.5);
  });

  test("is attributed as one, by rows and by saliency", async () => {
    const rows = Uint32Array.of(0, 1, 2);
    const [{ base, predictions, values }] = await attributeTableRows(
      explained.model,
      source,
      rows,
      { steps: 2000 },
    );
    expect(values.cols).toBe(3);
    for (const i of rows) {
      const sum = values.data.subarray(3 * i, 3 * i + 3).reduce((s, v) => s + v);
      expect(base + sum).toBeCloseTo(predictions[i], 2);
    }
    const model = readSaliencyModel(writeModel(explained.model), "model.ratewise");
    expect(model.columns).toEqual(["slope", "month", "noise"]);
    const all = columnsInTableUnits(model.encoding!, source);
    expect(all.cols).toBe(3);
    // From the row of zeros to each row.
    const first = matrix(3, 3, all.data.slice(0, 9));
    const zero = table(
      source.columns.map(({ name }) => ({ kind: "number", name, values: new Float64Array(1) })),
    );
    const S = await attributeColumns(model, first, {
      method: "integrated-gradients",
      steps: 4000,
    });
    const start = predictTable(explained.model, zero).mean![0];
    const { mean } = predictTable(explained.model, source);
    for (const i of rows) {
      const sum = S.data.subarray(3 * i, 3 * i + 3).reduce((s, v) => s + v);
      expect(start + sum).toBeCloseTo(mean![i], 1);
    }
  });

  test("has the slope of the prediction between two of its values", async () => {
    const model = readSaliencyModel(writeModel(explained.model), "model.ratewise");
    const at = (month: number) =>
      predictTable(
        explained.model,
        table(
          [50, month, 0, 0].map((value, j) => ({
            kind: "number",
            name: source.columns[j].name,
            values: Float64Array.of(value),
          })),
        ),
      ).mean![0];
    const row = matrix(1, 3, Float64Array.of(50, 4.3, 0));
    const gradient = await attributeColumns(model, row, { method: "gradient" });
    const h = 1e-3;
    expect(gradient.data[1]).toBeCloseTo((at(4.3 + h) - at(4.3 - h)) / (2 * h), 2);
    expect(Math.abs(gradient.data[1])).toBeGreaterThan(0.5);
    const times = await attributeColumns(model, row, { method: "gradient-x-input" });
    expect(times.data[1]).toBeCloseTo(4.3 * gradient.data[1], 10);
  });

  test("is selected by copies of the columns as they were before", async () => {
    const { prepared } = explained;
    const plain = withoutExpansions(prepared);
    expect([prepared.train.X.cols, plain.train.X.cols]).toEqual([15, 3]);
    expect(plain.variables.map(({ members }) => members)).toEqual([[0], [1], [2]]);
    expect(plain.groups[0].members).toEqual([0, 1]);
    for (const i of [0, 5])
      expect(plain.train.X.data.slice(3 * i, 3 * i + 3)).toEqual(
        prepared.train.X.data.slice(15 * i, 15 * i + 3),
      );
    const { document } = await explain(source, {
      ...asked,
      select: { fdr: 0.2, by: "permutation", permutations: 200 },
    });
    expect(document.variables.map(({ selected }) => selected)).toHaveLength(3);
  });
});

describe("an ensemble", () => {
  test("expands what its first member does, whatever does the work", async () => {
    const source = monthly(700, "ensemble");
    const asked = { target: "y", hidden: [8, 4], ensemble: 2 } as const;
    const here = await explain(source, { ...asked, workers: 0 });
    const elsewhere = await explain(source, { ...asked, workers: 2 });
    expect(here.document.model.expansions).toHaveLength(1);
    expect(here.model.networks.map(({ architecture }) => architecture.inputs)).toEqual([15, 15]);
    expect(elsewhere.model).toEqual(here.model);
    expect(elsewhere.document).toEqual(here.document);
  });
});

test("the paper's recipe expands nothing", async () => {
  const { document, model } = await explain(monthly(700, "paper"), {
    target: "y",
    recipe: "paper",
  });
  expect(document.model.expansions).toEqual([]);
  expect(model.encoding.expansions).toBeUndefined();
});
