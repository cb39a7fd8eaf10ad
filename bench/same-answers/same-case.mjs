import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reshapedAnswers } from "./renamed.mjs";
import { sameFile } from "./same-file.mjs";
import { underNewNames } from "./under-new-names.mjs";

/** The files of a case by their new names. */
function filesOf(folder) {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  return new Map(paths.map((path) => [underNewNames(path.slice(folder.length + 1)), path]));
}

/** How every file of a case agrees between two recordings: [{ name, how, where }]. */
export async function sameCase(name, recorded, fresh) {
  const [before, after] = [recorded, fresh].map((folder) => filesOf(join(folder, name)));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const answers = [];
  for (const file of names) {
    const pair = [before.get(file), after.get(file)];
    const missing = pair.indexOf(undefined);
    if (missing >= 0)
      answers.push({ name: file, how: "unlike", where: ["is new", "is gone"][missing] });
    else
      answers.push({
        name: file,
        ...(await sameFile(file, reshaped(name, pair[0]), readFileSync(pair[1]))),
      });
  }
  return pictures(answers);
}

/** A recorded file, in the shape that answers of this case have now. */
function reshaped(name, path) {
  const recorded = readFileSync(path);
  const reshape = reshapedAnswers[name];
  if (!(reshape && path.endsWith("answer.json"))) return recorded;
  return Buffer.from(`${JSON.stringify(reshape(JSON.parse(recorded)), null, 1)}\n`);
}

/** A picture of a drawing whose words have changed has other pixels; the drawing itself is compared. */
function pictures(answers) {
  const changed = ({ name }) =>
    answers.some((one) => one.name === name.replace(/\.png$/, ".svg") && one.how !== "byte");
  return answers.map((one) =>
    one.name.endsWith(".png") && one.how === "unlike" && changed(one)
      ? { name: one.name, how: "uncompared" }
      : one,
  );
}
