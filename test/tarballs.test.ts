import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { afterAll, describe, expect, test } from "vitest";
import { writeOnnx } from "../onnx/test/support/write-onnx.ts";
import { manifestOf, root } from "./support/repository.ts";
import { installOffline, packAll } from "./support/tarballs.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "ratewise-tarballs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tarballs = packAll(folder);
installOffline(folder, tarballs);
const inFolder = { cwd: folder, env: { PATH: process.env.PATH } };
const command = join(folder, "node_modules/.bin/ratewise");
const { version } = manifestOf(".");

describe.each(tarballs)("the tarball of $name", ({ path, files }) => {
  test("holds build, source, licence and readme, and nothing else", () => {
    const strange = files.filter(
      (file) =>
        !/^(package\.json|LICENSE|README\.md|bin\/[\w-]+\.[cm]js)$/.test(file) &&
        !/^fonts\/(DejaVuSans\.ttf|LICENSE)$/.test(file) &&
        !/^src\/[\w./-]+\.ts$/.test(file) &&
        !/^dist\/page\/(index\.html|assets\/[\w.-]+\.(css|mjs))$/.test(file) &&
        !/^dist\/[\w./-]+\.(js|d\.ts|js\.map|d\.ts\.map|wasm)$/.test(file),
    );
    expect(strange).toEqual([]);
    expect(files.filter((file) => /(^|\/)tests?\/|\.test\./.test(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"]),
    );
  });

  test("is clean for publint", async () => {
    const { messages } = await publint({
      pack: { tarball: new Uint8Array(readFileSync(path)).buffer },
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  test("has types that resolve for ES modules (arethetypeswrong)", async () => {
    const attw = join(root, "node_modules/.bin/attw");
    const options = ["--profile", "esm-only", "--no-definitely-typed", "--format", "json"];
    const { stdout } = await run(attw, [path, ...options], inFolder);
    // It exits with 1, and so rejects, when the profile counts one of its problems.
    expect(JSON.parse(stdout).analysis.types).toEqual({ kind: "included" });
  });
});

describe("installed from the tarballs, away from the checkout", () => {
  test("the packages load, and ratewise re-exports the one core", async () => {
    writeFileSync(
      join(folder, "program.mjs"),
      `import * as core from "@ratewise/core";
import * as files from "@ratewise/files";
import * as ratewise from "ratewise";
console.log(JSON.stringify({
  version: core.version,
  same: Object.keys(core).every((name) => core[name] === ratewise[name]),
  path: import.meta.resolve("@ratewise/core"),
  files: typeof files,
}));
`,
    );
    const { stdout } = await run(process.execPath, ["program.mjs"], inFolder);
    expect(JSON.parse(stdout)).toEqual({
      version,
      same: true,
      path: expect.stringContaining("ratewise-tarballs-"),
      files: "object",
    });
  });

  test("a strict TypeScript program finds the types", async () => {
    writeFileSync(
      join(folder, "program.ts"),
      `import { type Matrix, matrix, version } from "@ratewise/core";
const A: Matrix = matrix(2, 2);
// @ts-expect-error a matrix has numbers of rows and columns
matrix("two", 2);
export const text: string = version + A.rows;
`,
    );
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023"];
    await run(join(root, "node_modules/.bin/tsc"), [...options, "program.ts"], inFolder);
  });

  test("ratewise --version prints the version", async () => {
    const { stdout, stderr } = await run(command, ["--version"], inFolder);
    expect(stdout).toBe(`ratewise ${version}\n`);
    expect(stderr).toBe("");
  });

  test.each([
    ["a queue on Redis", ["--on", "redis://127.0.0.1:1", "--store", "store"], "bullmq@6 ioredis@6"],
    [
      "a queue on PostgreSQL",
      ["--on", "postgres://127.0.0.1:1/db", "--store", "store"],
      "bullmq@6 pg@8",
    ],
    ["a bucket", ["--on", "redis://127.0.0.1:1", "--store", "s3://bucket"], "aws4fetch@1"],
    ["a network in ONNX", ["--model", "net.onnx"], "onnxruntime-web@1"],
  ])("%s asks for the packages that a plain install leaves out", async (_, options, packages) => {
    const rows = Array.from({ length: 20 }, (_, i) => `${i},${i % 3},${i % 7},${i ** 2}`);
    writeFileSync(join(folder, "table.csv"), `a,b,c,y\n${rows.join("\n")}\n`);
    const net = writeOnnx({
      inputs: [{ name: "x", shape: ["n", 3] }],
      outputs: [{ name: "y", shape: ["n", 1] }],
      nodes: [
        { op: "Gemm", inputs: ["x", "v"], outputs: ["z"] },
        { op: "Tanh", inputs: ["z"], outputs: ["h"] },
        { op: "Gemm", inputs: ["h", "w"], outputs: ["y"] },
      ],
      weights: { v: { dims: [3, 2], data: [3, 1, 2, 1, 2, 3] }, w: { dims: [2, 1], data: [1, 2] } },
    });
    writeFileSync(join(folder, "net.onnx"), net);
    const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
    const failed = run(command, ["explain", "table.csv", "--target", "y", ...options], {
      ...inFolder,
      env: { ...inFolder.env, ...keys },
    });
    const { code, stderr } = await failed.catch((error) => error);
    expect(stderr).toMatch(/^ratewise: .* needs the npm packages? .*, not installed here; run: /);
    expect(stderr.trimEnd().endsWith(`; run: npm install ${packages}`)).toBe(true);
    expect(code).toBe(1);
  });

  test("ratewise rank ranks a Gaussian whose answer is known in closed form", async () => {
    // Equal variances and one correlation: δ₁ = δ₂, so RATE_j = μ_j²/(μ₁² + μ₂²) = 0.2, 0.8.
    const posterior = {
      mean: [1, -2],
      covariance: [
        [1, 0.5],
        [0.5, 1],
      ],
    };
    writeFileSync(join(folder, "posterior.json"), JSON.stringify(posterior));
    const { stdout } = await run(command, ["rank", "posterior.json", "--json"], inFolder);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ kind: "rank", variant: "exact", version });
    const rows = result.variables as { name: string; rank: number; rate: number }[];
    expect(rows.map(({ name, rank }) => [name, rank])).toEqual([
      ["x1", 2],
      ["x2", 1],
    ]);
    expect(rows[0]!.rate).toBeCloseTo(0.2, 12);
    expect(rows[1]!.rate).toBeCloseTo(0.8, 12);
  });
});
