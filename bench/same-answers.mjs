// Proof that a change of the code changes no number: runs commands and library calls on small inputs and records all
// answers in a folder, or compares them with a recording made before the change.
//
//     node bench/same-answers.mjs [--checkout <folder>] --record <folder>
//     node bench/same-answers.mjs [--checkout <folder>] --against <folder> [--record <folder>]
//     node bench/same-answers.mjs --recorded <folder> --against <folder>     compares two recordings
//
// --checkout is a built copy of this repository, by default the one this file lies in. --only <name> takes the cases whose
// names begin with it. Exit code 1 on any difference. same-answers/renamed.mjs lists what may differ.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compareRecordings } from "./same-answers/compare-recordings.mjs";
import { casesNamed, record } from "./same-answers/record.mjs";

const { values } = parseArgs({
  options: {
    checkout: { type: "string", default: join(import.meta.dirname, "..") },
    record: { type: "string" },
    recorded: { type: "string" },
    against: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const [checkout, kept, recorded, against] = ["checkout", "record", "recorded", "against"].map(
  (name) => values[name] && resolve(values[name]),
);
const refuse = (message) => {
  console.error(`same-answers: ${message}`);
  process.exit(2);
};
if (!(kept || against)) refuse("needs --record or --against with a folder");
for (const folder of [recorded, against])
  if (folder && !existsSync(join(folder, "inputs"))) refuse(`${folder} holds no recording`);
if (kept && existsSync(kept) && readdirSync(kept).length > 0)
  refuse(`${kept} is not empty; record in a new folder`);

const start = performance.now();
const cases = casesNamed(values.only);
const fresh = recorded ?? kept ?? mkdtempSync(join(tmpdir(), "same-answers-"));
const failed = recorded ? [] : await record(checkout, fresh, cases, console.log);
const names = ["inputs", ...cases.map(({ name }) => name)];
const different = against ? await compareRecordings(against, fresh, names, console.log) : [];
if (!(recorded || kept)) rmSync(fresh, { recursive: true });

const seconds = ((performance.now() - start) / 1000).toFixed(0);
const verdicts = [`${cases.length} cases`, `${failed.length} failed`];
if (against) verdicts.push(`${different.length} different from the recording`);
console.log(`${verdicts.join(", ")}; ${seconds} s`);
process.exitCode = failed.length + different.length > 0 ? 1 : 0;
