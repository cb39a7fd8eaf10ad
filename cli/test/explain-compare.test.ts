import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import { beforeAll, describe, expect, test } from "vitest";
import { writeColourTable } from "./support/colour-table.ts";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string) => join(here, name);
beforeAll(() => writeColourTable(file("data.csv"), 300));
const without = ["--exclude", "label", "--exclude", "three"];

describe("a folder that held another result of ours", () => {
  test("keeps nothing of it, and all that is somebody's own", async () => {
    const out = file("again");
    const write = (...argv: string[]) =>
      run(["explain", file("data.csv"), "--hidden", "4", "--out", out, ...argv]);
    const compared = ["--target", "y", ...without, "--compare", "rate,correlation"];
    expect((await write(...compared)).code).toBe(0);
    expect(readdirSync(out)).toEqual(expect.arrayContaining(["comparison.csv", "shuffle.csv"]));
    expect(readdirSync(join(out, "figures"))).toEqual(
      expect.arrayContaining([
        "shape-5.svg",
        "predictions.svg",
        "agreement.png",
        "shuffle-test.svg",
      ]),
    );
    writeFileSync(join(out, "figures", "mine.svg"), "mine");
    writeFileSync(join(out, "shape-1.svg"), "mine too");
    const fewer = ["y", "three", "copy", "noise1"].flatMap((name) => ["--exclude", name]);
    expect((await write("--target", "label", ...fewer)).code).toBe(0);
    expect(readdirSync(out).sort()).toEqual([
      "figures",
      "importance.csv",
      "importance.parquet",
      "model.ratewise",
      "report.html",
      "result.json",
      "shape-1.svg",
    ]);
    const names = ["architecture", "importance", "reliability", "shape-1", "shape-2", "shape-3"];
    expect(readdirSync(join(out, "figures")).sort()).toEqual(
      [...names.flatMap((name) => [`${name}.png`, `${name}.svg`]), "mine.svg"].sort(),
    );
  });
});

describe("--compare", () => {
  test("adds other methods and the shuffle test to the result, the report and the screen", async () => {
    const out = file("compared");
    const argv = ["explain", file("data.csv"), "--target", "y", ...without, "--hidden", "4"];
    const methods = ["--compare", "rate,gradient,permutation"];
    const { code, out: printed } = await run([...argv, ...methods, "--out", out]);
    expect(code).toBe(0);
    expect(printed).toMatch(/shuffle test +of +mean score/);
    expect(printed).toMatch(/rank correlation +RATE +gradient +permutation/);
    const { compare, ...alone } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
    expect(compare.shuffle.curves.map(({ name }: { name: string }) => name)).toEqual([
      "rate",
      "gradient",
      "permutation",
      "random",
    ]);
    // The same network that is explained.
    expect(compare.model).toEqual(alone.model);
    for (const [j, { rank, direct }] of alone.variables.entries())
      expect(compare.variables[j].ranks).toMatchObject({
        rate: rank,
        gradient: direct.rank,
      });
    const report = readFileSync(join(out, "report.html"), "utf8");
    expect(report).toContain("Do other methods agree?");
    expect(report).toContain(`data-from="compare.shuffle.curves.3.area"`);
    const again = await run([...argv, ...methods, "--json"]);
    expect(again.out).toBe(readFileSync(join(out, "result.json"), "utf8"));
    const plain = JSON.parse((await run([...argv, "--json"])).out);
    expect({ ...alone, options: null }).toEqual({ ...plain, options: null });
  });

  test.each([
    [["--compare", "magic"], 'there is no method "magic"'],
    [["--compare", "all", "--model", "gp"], "--compare applies to new networks only"],
  ])("%j is refused", async (argv, message) => {
    const { code, err } = await run(["explain", file("data.csv"), "--target", "y", ...argv]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

test("a variable that is used but hardly goes along is shown and spoken of, however far down", async () => {
  const next = normals(fold(keyFromSeed(5), "apart"));
  const rows = Array.from({ length: 900 }, () => {
    const base = next();
    const block = Array.from({ length: 24 }, () => base + 0.3 * next());
    const alone = next();
    return [...block, alone, base + 2 * Math.abs(alone) + 0.1 * next()].join(",");
  });
  const header = [...Array.from({ length: 24 }, (_, j) => `g${j}`), "alone", "y"].join(",");
  writeFileSync(file("apart.csv"), `${header}\n${rows.join("\n")}\n`);
  const { out } = await run(["explain", file("apart.csv"), "--target", "y"]);
  const shown = out.slice(0, out.indexOf("RATE: does"));
  expect(shown).toMatch(/used most, further down:\n +2[1-5] +alone .* 1$/m);
  expect(out.replace(/\s+/g, " ")).toMatch(/The model uses alone \(direct rank 1, RATE rank 2\d\)/);
});
