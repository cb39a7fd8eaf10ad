import { sameCase } from "./same-case.mjs";

const words = {
  byte: "to the byte",
  mapped: "apart from names, sentences and times",
  numbers: "in all numbers of its tables or drawing",
  unplaced: "in all numbers but the places, which follow the length of a renamed label",
  uncompared: "not compared",
  unlike: "different",
};

/**
 * Compares cases of two recordings and says how each agrees, one line per case. Returns the names of
 * those that do not.
 */
export async function compareRecordings(recorded, fresh, names, say) {
  const different = [];
  const every = [];
  for (const name of names) {
    const answers = await sameCase(name, recorded, fresh);
    every.push(...answers);
    const same = answers.every(({ how }) => how !== "unlike");
    const compared = answers.some(({ how }) => how !== "uncompared");
    if (!(same && compared)) different.push(name);
    say(`${same && compared ? "same     " : "DIFFERENT"} ${name}: ${described(answers)}`);
  }
  const totals = Object.entries(words).map(([how, word]) => `${count(every, how)} ${word}`);
  say(`${every.length} files: ${totals.join("; ")}`);
  return different;
}

const count = (answers, how) => answers.filter((one) => one.how === how).length;

/** How many files agree to the byte, and the names of those that agree in another way or not at all. */
function described(answers) {
  const parts = Object.entries(words).map(([how, word]) => {
    const files = answers.filter((one) => one.how === how);
    const names = files.map(({ name, where }) => (where ? `${name} (${where})` : name));
    return names.length > 0 && `${word}: ${how === "byte" ? names.length : names.join(", ")}`;
  });
  return parts.filter(Boolean).join("; ") || "no files";
}
