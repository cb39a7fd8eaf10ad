/**
 * Compiles the AssemblyScript kernels twice, with and without relaxed SIMD, into one TypeScript
 * module that holds both as base64. Why not .wasm files: the kernels are small, and as a string they
 * load synchronously and alike from Node, workers, bundlers and pages; nothing has to be copied
 * beside the bundle, fetched, or found by path, and `linalg` stays free of promises.
 *
 * Budget: 60 KB of wasm in all. Nothing is compiled when the sources have not changed.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const BUDGET_BYTES = 60_000;
const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/compute/kernels.generated.ts");

const shared = [
  "index.ts",
  // AssemblyScript's name for the runtime that only ever allocates, without a collector.
  ...["--outFile", "out.wasm", "--runtime", "stub", "--use", "abort=", "--noAssert"],
  // Shared, so that kernel threads see the same arrays; the host makes the memory and may stop short
  // of the maximum. No stack in memory: this runtime keeps none, so instances cannot collide.
  ...["--importMemory", "--noExportMemory", "--sharedMemory"],
  ...["--initialMemory", "1", "--maximumMemory", "65536"],
  ...["--optimizeLevel", "3", "--shrinkLevel", "1", "--enable", "threads", "--enable", "simd"],
];
const builds = { plain: shared, relaxed: [...shared, "--enable", "relaxed-simd"] };

const sources = readdirSync(here).filter((name) => /\.(ts|mjs)$/.test(name));
const compiler = readFileSync(fileURLToPath(import.meta.resolve("assemblyscript/package.json")));
const hash = createHash("sha256").update(compiler);
for (const name of sources.sort()) hash.update(name).update(readFileSync(join(here, name)));
const stamp = `// ${hash.digest("hex")}`;

if (currentStamp() !== stamp) {
  const lines = [stamp];
  let total = 0;
  for (const [name, args] of Object.entries(builds)) {
    const bytes = await compile(args);
    total += bytes.length;
    lines.push(`export const ${name}: string =\n  "${Buffer.from(bytes).toString("base64")}";`);
  }
  if (total > BUDGET_BYTES)
    throw new Error(`build:kernels: the budget is ${BUDGET_BYTES} bytes, got ${total}`);
  writeFileSync(target, `${lines.join("\n")}\n`);
}

function currentStamp() {
  try {
    return readFileSync(target, "utf8").split("\n", 1)[0];
  } catch {
    return "";
  }
}

async function compile(args) {
  const { main } = await import("assemblyscript/asc");
  let binary;
  const { error, stderr } = await main([...args, "--baseDir", here], {
    writeFile: (_name, contents) => {
      binary = contents;
    },
  });
  if (error || !binary) throw new Error(`build:kernels: ${error?.message}\n${stderr}`);
  return binary;
}
