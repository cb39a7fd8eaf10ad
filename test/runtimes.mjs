// Whether Node's versions give the same bytes: node test/runtimes.mjs <node> <another node>…
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../cli/bin/ratewise.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "ratewise-runtimes-"));

/** The result.json of the demo, made by the executable `node`. */
function demo(node, out) {
  const stdio = ["ignore", "ignore", "inherit"];
  execFileSync(node, [command, "demo", "--out", out], { stdio });
  return readFileSync(join(out, "result.json"));
}

try {
  const nodes = process.argv.slice(2);
  if (nodes.length < 2)
    throw new Error("runtimes: needs two executables of Node or more to compare");
  const found = nodes.map((node, k) => {
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    const digest = createHash("sha256")
      .update(demo(node, join(folder, `${k}`)))
      .digest("hex");
    console.log(`${version.padEnd(10)} ${digest}`);
    return digest;
  });
  const same = found.filter((digest) => digest === found[0]).length;
  console.log(`${same} passed, ${found.length - same} failed`);
  if (same < found.length) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
