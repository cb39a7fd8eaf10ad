import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const file = (name: string): string => join(here, name);

beforeAll(() => {
  writeFileSync(file("t.csv"), "a,b,y\n1,2,3\n2,1,4\n");
  writeFileSync(file("m.ratewise"), "");
  symlinkSync(file("nowhere"), file("link"));
  mkdirSync(file("empty"));
});

/** Every command with --out: a folder, or a file of this name. */
const commands: [string, string[], string | null][] = [
  ["explain", [file("t.csv"), "--target", "y"], null],
  ["explain", [file("t.csv"), "--model", file("net.onnx")], null],
  ["compare", [file("t.csv"), "--target", "y"], null],
  ["stream", [file("X.npy"), "--target", file("y.npy")], null],
  ["study", ["collinearity", "--quick"], null],
  ["demo", [], null],
  ["app", [], null],
  ["rank", [file("p.json")], "x.csv"],
  ["predict", [file("t.csv"), "--model", file("m.ratewise")], "x.csv"],
  ["saliency", [file("t.csv"), "--model", file("m.ratewise"), "--method", "gradient"], "x.csv"],
  ["demo", ["gaussian"], "x.json"],
];

test.each(commands)(
  "%s %j --out where nothing can be made is refused at once",
  async (name, words, target) => {
    const out = `/proc/${target ?? "x"}`;
    const { code, out: printed, err } = await run([name, ...words, "--out", out]);
    expect([code, printed]).toEqual([1, ""]);
    // Whoever is not root hears of permissions, and not every system has such a folder.
    expect(err).toMatch(
      /^ratewise: \/proc\/x[.a-z]*: (cannot be written; choose another place|may not be .+|there is no folder .+)\n$/,
    );
  },
);

test.each(commands)("%s %j --out without a name is refused", async (name, words, target) => {
  const { code, out, err } = await run([name, ...words, "--out", ""]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(
    target === null
      ? /--out needs the name of a folder, got none/
      : /--out needs a name that ends in .+, got ""/,
  );
});

test("a link to a folder that is not there is called that", async () => {
  const { code, err } = await run(["study", "collinearity", "--quick", "--out", file("link")]);
  expect([code, err]).toEqual([
    1,
    `ratewise: ${file("link")}: is a link to ${file("nowhere")}, which is not there; make that folder, or choose another\n`,
  ]);
});

test("the look at a folder leaves nothing there", async () => {
  const before = readdirSync(here, { recursive: true });
  await run(["explain", file("none.csv"), "--target", "y", "--out", file("empty")]);
  await run(["explain", file("none.csv"), "--target", "y", "--out", file("new")]);
  expect(readdirSync(here, { recursive: true })).toEqual(before);
});
