import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import type { ExplainDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { classWeights } from "../src/options/kinds.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = join(here, "visits.csv");

beforeAll(() => {
  const next = normals(fold(keyFromSeed(2), "visits"));
  const rows = Array.from({ length: 300 }, (_, i) => {
    const [a, b] = [next(), next()];
    const heavy = i % 3 === 0;
    const y = 2 * (heavy ? a : b) + 0.2 * next();
    return [a, b, heavy ? 20 : 0.5, y, y > 2 ? "ill" : "well"].join(",");
  });
  writeFileSync(file, `a,b,stands for,y,label\n${rows.join("\n")}\n`);
});

const explainJson = async (...argv: string[]): Promise<ExplainDocument> => {
  const { code, out } = await run(["explain", file, "--json", "--hidden", "8,4", ...argv]);
  expect(code).toBe(0);
  return JSON.parse(out);
};

describe("ratewise explain with weights", () => {
  test("counts rows by a column, which is no predictor, and records it", async () => {
    const ask = ["--target", "y", "--exclude", "label"];
    const weighted = await explainJson(...ask, "--weights", "stands for");
    const plain = await explainJson(...ask, "--exclude", "stands for");
    expect(weighted.variables.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(weighted.variables[0].direct!.rank).toBe(1);
    expect(plain.variables[0].direct!.rank).toBe(2);
    expect(weighted.options).toMatchObject({ weights: "stands for" });
    expect(weighted.options.command).toContain("--weights 'stands for'");
    const note = weighted.diagnostics.find(({ code }) => code === "rows-weighted");
    expect(note!.message).toContain('weighted by "stands for"');
  });

  test("counts classes alike or by name", async () => {
    const ask = ["--target", "label", "--exclude", "y", "--exclude", "stands for"];
    const balanced = await explainJson(...ask, "--class-weights", "balanced");
    expect(balanced.model.heldOut.baseline).toBeCloseTo(0.5, 1);
    const plain = await explainJson(...ask);
    expect(plain.model.heldOut.baseline).toBeGreaterThan(0.7);
    const named = await explainJson(...ask, "--class-weights", "ill=4,well=1");
    expect(named.options).toMatchObject({ classWeights: { ill: 4, well: 1 } });
  });

  test("refuses what cannot be, in one line", async () => {
    const fails = async (argv: string[], code: number, message: string) => {
      const failed = await run(["explain", file, ...argv]);
      expect([failed.code, failed.err]).toEqual([code, expect.stringContaining(message)]);
    };
    const [y, label] = [
      ["--target", "y"],
      ["--target", "label"],
    ];
    await fails([...y, "--weights", "label"], 1, 'column "label" holds texts');
    await fails([...label, "--class-weights", "sick=2"], 1, "the classes are ill, well");
    await fails([...y, "--class-weights", "balanced"], 1, "needs classes for --class-weights");
    await fails([...y, "--class-weights", "ill"], 2, "--class-weights needs balanced, or classes");
    await fails([...y, "--weights", "a", "--model", "gp"], 2, "--weights applies to new networks");
  });
});

test("weights of classes are read with what stands last as the number", () => {
  expect(classWeights.read("balanced")).toBe("balanced");
  expect(classWeights.read("a=b=2, c d=0.5")).toEqual({ "a=b": 2, "c d": 0.5 });
  for (const wrong of ["", "a", "a=", "a=0", "a=-1", "a=x", "a=1,a=2", "=2", "a=1,"])
    expect(classWeights.read(wrong)).toBeUndefined();
});
