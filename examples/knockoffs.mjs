// Selection with a guarantee: among the variables reported, at most a fifth are false on average.
import { explain, fold, keyFromSeed, ranked, simulate, table } from "@ratewise/core";

// 60 variables, of which 18 are causal. With your own data: await readTable("your.csv").
const key = fold(keyFromSeed(1), "example");
const { X, y, truth } = simulate({ key, rows: 1500, variables: 60, causalSetSize: 6 });
const columns = Array.from({ length: X.cols }, (_, j) => ({
  name: `x${j + 1}`,
  kind: "number",
  values: Float64Array.from({ length: X.rows }, (_, i) => X.data[i * X.cols + j]),
}));
const data = table([...columns, { name: "y", kind: "number", values: y }]);

const answer = await explain(data, { target: "y", seed: 1, select: { fdr: 0.2, by: "knockoffs" } });

const selected = ranked(answer).filter((v) => v.selected);
const causal = new Set(truth.causalSets.flatMap((set) => Array.from(set, (j) => `x${j + 1}`)));
for (const v of selected)
  console.log(v.name, `q = ${v.qValue.toFixed(2)}`, causal.has(v.name) ? "" : "(false)");
console.log(`${selected.length} selected of ${causal.size} that are causal`);
