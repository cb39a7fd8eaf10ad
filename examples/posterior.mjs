// Your own posterior to a ranking: draws of the effects from any sampler, one row for each draw.
import {
  effectsFromDraws,
  fold,
  fromRows,
  keyFromSeed,
  normals,
  ranked,
  rate,
} from "@ratewise/core";

// In your program these come from Stan, PyMC or a bootstrap; here "dose" and "weight" are correlated.
const next = normals(fold(keyFromSeed(1), "draws"));
const draws = Array.from({ length: 2000 }, () => {
  const shared = next();
  return [
    0.9 + 0.3 * next(),
    0.8 + 0.25 * shared + 0.1 * next(),
    0.4 + 0.2 * shared,
    0.1 + 0.1 * next(),
  ];
});

const effects = effectsFromDraws(fromRows(draws), { names: ["age", "dose", "weight", "site"] });
const answer = rate(effects);

for (const v of ranked(answer))
  console.log(
    `${v.rank}. ${v.name.padEnd(7)} RATE ${v.rate.toFixed(3)}  effect ${v.mean.toFixed(2)} ± ${v.sd.toFixed(2)}`,
  );
for (const warning of answer.diagnostics) console.log(warning.message);
