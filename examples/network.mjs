// A network trained elsewhere to an answer. Needs: npm install @ratewise/onnx onnxruntime-web@1
import { ranked } from "@ratewise/core";
import { readTable } from "@ratewise/files";
import { explainNetwork } from "@ratewise/onnx";

const inputs = ["pressure", "heat", "age", "size"];
const table = await readTable("data/pumps.csv");
const column = (name) => table.columns.find((c) => c.name === name);

// One array of numbers for each row, in the order in which the network takes them.
const X = Array.from({ length: table.rows }, (_, i) =>
  inputs.map((name) => column(name).values[i]),
);
const failed = column("failed");
const target = Array.from(failed.codes, (code) => failed.levels[code]);

const answer = await explainNetwork("data/pumps.onnx", X, {
  names: inputs,
  target,
  classes: ["no", "yes"],
});

for (const v of ranked(answer))
  console.log(
    `${v.direct.rank}. ${v.name.padEnd(9)} direct ${v.direct.rate.toFixed(2)}  RATE ${v.rate.toFixed(2)}`,
  );
