import { describe, expect, test } from "vitest";
import { sortOut, traitsOf } from "../src/dropped-files.ts";

const file = (name: string, size = 1): File => new File(["x".repeat(size)], name);
const settingsOf = (...names: string[]) => {
  const dropped = sortOut(names.map((name) => file(name)));
  if (dropped.kind !== "data") throw new Error(`${dropped.kind}`);
  return dropped.settings;
};

describe("dropped files", () => {
  test.each(["a.csv", "a.tsv.gz", "a.parquet", "a.npz", "a.libsvm", "train-images-idx3-ubyte"])(
    "%s is a table",
    (name) => {
      expect(settingsOf(name)).toMatchObject({ data: name, network: "", target: "" });
    },
  );

  test("three files of PLINK are one table, with phenotypes if they come along", () => {
    expect(settingsOf("p.bim", "p.bed", "p.fam")).toMatchObject({ data: "p.bed", pheno: "" });
    expect(settingsOf("p.fam", "t.csv", "p.bed", "p.bim")).toMatchObject({
      data: "p.bed",
      pheno: "t.csv",
    });
  });

  test("a network goes with rows, and asks for them", () => {
    expect(settingsOf("n.onnx", "rows.csv")).toMatchObject({ data: "rows.csv", network: "n.onnx" });
    expect(sortOut([file("n.onnx")])).toMatchObject({
      kind: "unclear",
      why: expect.stringContaining("Drop it together with the rows it takes"),
    });
  });

  test("X.npy with y.npy has its target", () => {
    expect(settingsOf("y.npy", "X.npy")).toMatchObject({ data: "X.npy", target: "y.npy" });
    expect(settingsOf("X.npy")).toMatchObject({ data: "X.npy", target: "" });
  });

  test("saved sessions and results are opened, models need rows", () => {
    expect(sortOut([file("a.ratewise-session")]).kind).toBe("result");
    expect(sortOut([file("result.json")]).kind).toBe("result");
    expect(sortOut([file("model.ratewise")])).toMatchObject({ kind: "unclear" });
    expect(sortOut([file("model.ratewise"), file("new.csv")])).toEqual({
      kind: "predict",
      data: "new.csv",
      model: "model.ratewise",
    });
  });

  test("a file added later keeps the table that was there", () => {
    const added = sortOut([file("genes.gmt")], [file("big.csv", 100)]);
    expect(added).toMatchObject({ kind: "data", settings: { data: "big.csv" } });
    const files = added.kind === "data" ? added.files : [];
    expect(files.map(({ name }) => name)).toEqual(["big.csv", "genes.gmt"]);
  });

  test.each(["trial.xlsx", "trial.xls", "trial.ods", "trial.numbers"])(
    "a spreadsheet such as %s is to be saved as CSV first",
    (name) => {
      const dropped = sortOut([file(name)]);
      expect(dropped.kind === "unclear" && dropped.why).toMatch(/is a spreadsheet.*Save.* as CSV/);
      expect(sortOut([file(name), file("trial.csv")]).kind).toBe("data");
    },
  );

  test("what is none of these is named, with what would do", () => {
    expect(sortOut([file("photo.jpg")])).toMatchObject({
      kind: "unclear",
      why: expect.stringMatching(/^photo\.jpg: needs a table \(\.csv/),
    });
  });
});

test.each([
  ["FID\tIID\tPAT\tbody mass\tsex\n1\t2\t3\t4\t5\n", ["body mass", "sex"]],
  ['#FID,IID,"BMI",age\r\n1,2,3,4\r\n', ["BMI", "age"]],
  ["IID height\n1 2\n", ["height"]],
  ["", []],
])("the traits of a file of phenotypes are its columns: %j", async (text, traits) => {
  expect(await traitsOf(new File([text], "p.txt"))).toEqual(traits);
});
