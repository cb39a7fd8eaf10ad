import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { read, root } from "./support/repository.ts";

const examples = join(root, "examples");
const programs = readdirSync(examples).filter((name) => name.endsWith(".mjs"));

async function linesOf(name: string): Promise<string[]> {
  const options = { cwd: examples };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [name], options);
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}
const words = (line: string): string[] => line.trim().split(/\s+/);

describe("the examples", () => {
  test.each(programs)("%s fits on a screen, and says first what it does", (name) => {
    const lines = read(`examples/${name}`).trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(15);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines[0]).toMatch(/^\/\/ [A-Z]/);
    expect(read("examples/README.md")).toContain(`| [${name}](${name}) |`);
  });

  test("table.mjs finds area and age, and rooms as a stand-in", async () => {
    const [, area, age, ...rest] = await linesOf("table.mjs");
    expect([area, age].map((line) => words(line)[0])).toEqual(["area", "age"]);
    expect(rest.join("\n")).toMatch(/^rooms .* stands in for area$/m);
    expect(rest.join("\n")).toMatch(/^r2 on rows the network never saw: 0\.9/m);
  });

  test("posterior.mjs ranks what goes along with another above what is large", async () => {
    const lines = await linesOf("posterior.mjs");
    const first = lines.slice(0, 4).map((line) => words(line)[1]);
    expect(first.slice(0, 2)).toEqual(["dose", "weight"]);
    expect(first.slice(2).sort()).toEqual(["age", "site"]);
  });

  test("network.mjs ranks the inputs that the network was made of", async () => {
    const names = (await linesOf("network.mjs")).map((line) => words(line)[1]);
    expect(names.slice(0, 2)).toEqual(["pressure", "heat"]);
    expect(names).toHaveLength(4);
  });

  test("knockoffs.mjs selects most of what is causal and little else", async () => {
    const lines = await linesOf("knockoffs.mjs");
    const selected = lines.slice(0, -1);
    expect(lines.at(-1)).toBe(`${selected.length} selected of 18 that are causal`);
    expect(selected.length).toBeGreaterThan(9);
    const wrong = selected.filter((line) => line.endsWith("(false)"));
    expect(wrong.length / selected.length).toBeLessThan(0.3);
  });

  test("genes.mjs finds the gene and a variant that raises the trait", async () => {
    const [, ...genes] = (await linesOf("genes.mjs")).map(words);
    expect(genes.map(([name, size]) => [name, Number(size)])).toEqual([
      ["ALPHA", 41],
      ["BRAVO", 30],
      ["CHARLIE", 100],
    ]);
    expect(Number(genes[1]![2])).toBeGreaterThan(0.9);
    expect(["rs210", "rs215", "rs220"]).toContain(genes[1]![4]);
  });

  test("stream.mjs finds the same variants without holding the genotypes", async () => {
    const names = (await linesOf("stream.mjs")).map((line) => words(line)[1]);
    expect(names.slice(0, 3).sort()).toEqual(["rs210", "rs215", "rs220"]);
    expect(names).toHaveLength(5);
  });
});
