import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();
const good = join(folder, "good.json");
writeFileSync(good, '{"mean": [1, 2], "factor": [[1], [2]], "noise": [1, 1]}');

test.each([
  [["rank"], "needs a posterior file, or --mean and --factor, got neither"],
  [["rank", good, good], "needs one posterior file, got 2"],
  [["rank", good, "--mean", "a.npy"], "needs a posterior file or --mean, got both"],
  [["rank", good, "--nois", "a.npy"], 'there is no option "--nois"; did you mean "--noise"?'],
  [["rank", good, "--zzzzzz"], 'there is no option "--zzzzzz" ('],
  [
    ["rank", good, "--variant", "nois"],
    '--variant needs noise, exact, nugget, pseudo-inverse, r-2020 or published, got "nois"; did you mean "noise"?',
  ],
  [["rank", good, "--variant", "nugget"], "--variant nugget needs --nugget, got none"],
  [
    ["rank", good, "--variant", "exact", "--nugget", "1"],
    "--nugget needs --variant nugget or none",
  ],
  [["rank", good, "--nugget", "0"], '--nugget needs a number above 0, got "0"'],
  [["rank", good, "--nugget", "lots"], '--nugget needs a number above 0, got "lots"'],
  [["rank", good, "--nugget="], '--nugget needs a number above 0, got ""'],
  [["rank", good, "--seed", "-1"], "rank: "],
  [["rank", good, "--seed", "1.5"], '--seed needs a whole number from 0 to 2^53 − 1, got "1.5"'],
  [["rank", good, "--seed", "9007199254740993"], "--seed needs a whole number"],
  [
    ["rank", good, "--engine", "steam"],
    '--engine: no engine "steam" on this machine; choose one of',
  ],
  [
    ["rank", good, "--engine", "plian"],
    '--engine: no engine "plian" on this machine; did you mean',
  ],
  [["rank", good, "--out", "result.xlsx"], "--out needs a name that ends in .csv or .json"],
  [["rank", good, "--out", good], "--out would overwrite the input"],
  [["rank", good, "--json=1"], "rank: "],
  [["rank", good, "--names"], "rank: "],
  [
    ["rank", good, "--groups", "genes.xml"],
    "--groups needs a .json, .csv, .tsv, .gmt or .bed file",
  ],
  [["demo", good], "needs simulation or gaussian, got"],
  [["demo", "gaussian", "--out", "demo.csv"], "--out needs a name that ends in .json or .npz"],
  [["demo", "--seed", "x"], "--seed needs a whole number"],
] as [string[], string][])("%j", async (argv, message) => {
  const { code, out, err } = await run(argv);
  expect(err).toContain(message);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(err).not.toMatch(/\n\s+at /);
  expect(out).toBe("");
  expect(code).toBe(2);
  expect(readdirSync(folder)).toEqual(["good.json"]);
  expect(existsSync("demo.csv") || existsSync("result.xlsx")).toBe(false);
});
