import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyFromSeed, rate } from "@ratewise/core";
import { expect, test } from "vitest";
import { demonstrate } from "../src/commands/demo-posterior.ts";
import { run, temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();

test("causes come before their stand-ins, and bystanders last, in nine cases of ten at least", () => {
  const seeds = 40;
  let pairsInOrder = 0;
  let bystandersLast = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const { effects, roles } = demonstrate(keyFromSeed(seed));
    const { rank } = rate(effects).variables;
    for (let j = 0; j < 3; j++) pairsInOrder += Number(rank[j] < rank[j + 3]);
    bystandersLast += Number(roles.every((role, j) => role !== "bystander" || rank[j] > 6));
  }
  expect(pairsInOrder).toBeGreaterThanOrEqual(0.9 * 3 * seeds);
  expect(bystandersLast).toBeGreaterThanOrEqual(0.9 * seeds);
});

test("the text says the ranks that came out", async () => {
  const { code, out, err } = await run(["demo", "gaussian", "--seed", "3"]);
  expect([code, err]).toEqual([0, ""]);
  const { effects, roles } = demonstrate(keyFromSeed(3));
  const { rank } = rate(effects).variables;
  const causes = [...rank].filter((_, j) => roles[j] === "cause").sort((a, b) => a - b);
  expect(out.replace(/\s+/g, " ")).toContain(
    `causes only; they have the ranks ${causes.join(", ")}.`,
  );
});

test("the same seed gives the same bytes, another seed others", async () => {
  const first = await run(["demo", "gaussian", "--json"]);
  expect(await run(["demo", "gaussian", "--json", "--seed", "1"])).toEqual(first);
  expect((await run(["demo", "gaussian", "--json", "--seed", "2"])).out).not.toBe(first.out);
});

test.each(["posterior.npz", "posterior.json"])(
  "%s can be ranked, with the same result",
  async (name) => {
    const path = join(folder, name);
    const { out } = await run(["demo", "gaussian", "--json", "--out", path]);
    const demo = JSON.parse(out);
    const ranked = JSON.parse((await run(["rank", path, "--json"])).out);
    expect(ranked.variables).toEqual(demo.variables);
    expect(ranked.dataHash).toBe(demo.dataHash);
    expect(readdirSync(folder)).toContain(name);
  },
);

test("the simulation is explained as anybody's table would be, and the truth is shown afterwards", async () => {
  const report = join(folder, "demo");
  const { code, out, err } = await run(["demo", "--out", report]);
  expect(code).toBe(0);
  expect(err).toContain(`the report is ${join(report, "report.html")}; beside it are `);
  const page = readFileSync(join(report, "report.html"), "utf8");
  expect(page).toContain("the paper&#39;s simulated regression");
  expect(out).toMatch(/it never saw, it explains [45]\d\.\d% of the variance/);
  // Warnings are the command's: they speak of flags, not of a program's options.
  expect(out.replace(/\s+/g, " ")).toContain("--ensemble 5 includes some of that.");
  const [first] = out.split("\n").filter((line) => /^ {3}1 /.test(line));
  expect(first).toContain("● causal");
  const [, found] = /Of the 30 causal ones, (\d+) are/.exec(out.replaceAll("\n", " "))!;
  expect(Number(found)).toBeGreaterThanOrEqual(22);
  const document = JSON.parse(readFileSync(join(report, "result.json"), "utf8"));
  expect(document).toMatchObject({ kind: "explain", target: "y", seed: 1 });
  expect(document.variables[0].rankInterval).toHaveLength(2);
  expect(out.replace(/\s+/g, " ")).toMatch(/Of the \d+ selected, \d+ are not causal/);
});
