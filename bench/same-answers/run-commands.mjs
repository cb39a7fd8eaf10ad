import { spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Commands that compute nothing with an engine. */
const withoutEngine = ["inspect", "model"];

/**
 * Runs one command of a checkout in `folder` and leaves what it printed in the case's own folder there.
 * Progress and warnings on stderr are words; they are shown where the command failed.
 */
export async function runCommand({ name, words }, checkout, folder) {
  mkdirSync(join(folder, name));
  const argv = words.map((word) =>
    word.replace(/^in\//, "inputs/").replace(/^OUT/, `${name}/out`).replace("/OUT/", "/out/"),
  );
  const outFolder = argv.find((word) => word.startsWith(`${name}/out/`));
  if (outFolder) mkdirSync(join(folder, name, "out"));
  const command = join(checkout, "cli", "bin", "ratewise.mjs");
  if (!existsSync(command)) throw new Error(`${command}: needs a checkout that is built`);
  const engine = withoutEngine.includes(argv[0]) ? [] : ["--engine", "plain"];
  const { code, out, err } = await run([command, ...argv, ...engine], folder);
  if (code !== 0) throw new Error(`ratewise ${argv.join(" ")}: exit code ${code}\n${err}`);
  writeFileSync(join(folder, name, `printed.${kindOf(argv)}`), out);
}

/** What kind of text a command prints: a document, rows, or a page for people. */
function kindOf(argv) {
  const format = argv[argv.indexOf("--format") + 1];
  if (argv.includes("--json") || format === "shap") return "json";
  return format === "csv" || argv[0] === "predict" ? "csv" : "txt";
}

function run(argv, cwd) {
  const env = { ...process.env, NO_COLOR: "1" };
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const parts = { stdout: [], stderr: [] };
  for (const stream of ["stdout", "stderr"])
    child[stream].on("data", (part) => parts[stream].push(part));
  const text = (stream) => Buffer.concat(parts[stream]).toString();
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out: text("stdout"), err: text("stderr") }));
  });
}
