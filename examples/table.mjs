// A table to an answer: which columns decide the price of a flat, and which only follow another?
import { explain, ranked } from "@ratewise/core";
import { readTable } from "@ratewise/files";

const answer = await explain(await readTable("data/flats.csv"), { target: "price", seed: 1 });

console.log("variable  direct  RATE");
for (const v of ranked(answer)) {
  const note = v.standInFor ? `stands in for ${v.standInFor}` : "";
  console.log(
    v.name.padEnd(8),
    v.direct.rate.toFixed(2).padStart(7),
    v.rate.toFixed(2).padStart(5),
    note,
  );
}
const { metric, score } = answer.document.model.heldOut;
console.log(`${metric} on rows the network never saw: ${score.toFixed(2)}`);
for (const warning of answer.document.diagnostics) console.log(warning.message);
