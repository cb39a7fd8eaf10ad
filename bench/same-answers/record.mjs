import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calls } from "./calls.mjs";
import { commands } from "./commands.mjs";
import { findFunctions } from "./find-functions.mjs";
import { writeInputs } from "./inputs.mjs";
import { plainText } from "./plain.mjs";
import { runCommand } from "./run-commands.mjs";

const all = [...commands, ...calls];

/** The cases whose names begin with `only`, and those whose files they read. */
export function casesNamed(only) {
  const wanted = new Set(all.filter(({ name }) => name.startsWith(only)).flatMap(withNeeds));
  return all.filter(({ name }) => wanted.has(name));
}

const withNeeds = ({ name, needs }) => [name, ...needs];

/**
 * Runs the cases with what is built in a checkout, and leaves inputs and answers in `folder`.
 * Returns the names of those that failed.
 */
export async function record(checkout, folder, cases, say) {
  writeInputs(join(folder, "inputs"));
  const { library } = await findFunctions(checkout);
  library.useEngine("plain");
  const failed = [];
  for (const one of cases) {
    const start = performance.now();
    try {
      if (one.call) await runCall(one, library, folder);
      else await runCommand(one, checkout, folder);
      say(`ran       ${one.name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    } catch (error) {
      failed.push(one.name);
      say(`FAILED    ${one.name}: ${error.message}`);
    }
  }
  return failed;
}

async function runCall({ name, call }, library, folder) {
  const answer = await call(library, join(folder, "inputs"));
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "answer.json"), plainText(answer));
}
