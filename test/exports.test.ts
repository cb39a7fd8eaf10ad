import * as cluster from "@ratewise/cluster";
import * as core from "@ratewise/core";
import * as files from "@ratewise/files";
import * as onnx from "@ratewise/onnx";
import * as plots from "@ratewise/plots";
import * as report from "@ratewise/report";
import * as cli from "ratewise";
import { describe, expect, test } from "vitest";
import { publicExports } from "./support/public-exports.ts";

const packages: readonly (readonly [string, string, object])[] = [
  ["@ratewise/core", "core", core],
  ["@ratewise/files", "files", files],
  ["@ratewise/plots", "plots", plots],
  ["@ratewise/report", "report", report],
  ["@ratewise/onnx", "onnx", onnx],
  ["@ratewise/cluster", "cluster", cluster],
  ["ratewise", "cli", cli],
];

const names = (packageName: string): string[] => {
  const { values, types } = publicExports(packageName);
  return [...values, ...types.map((type) => `type ${type}`)];
};

describe.each(packages)("%s", (name, folder, module) => {
  test("exports the names on record (vitest -u writes the record)", async () => {
    const again = name === "ratewise" ? new Set(names("@ratewise/core")) : new Set();
    const own = names(name).filter((line) => !again.has(line));
    await expect([...own, ""].join("\n")).toMatchFileSnapshot(`exports/${folder}.txt`);
  });

  test("exports at run time what its source says", () => {
    expect(Object.keys(module).sort()).toEqual(publicExports(name).values);
  });
});

test("ratewise exports everything of @ratewise/core", () => {
  expect(names("@ratewise/core").length).toBeGreaterThan(10);
  expect(names("ratewise")).toEqual(expect.arrayContaining(names("@ratewise/core")));
});
