import { fold, keyFromSeed, normals, uniforms } from "@ratewise/core";
import type { Example } from "./example.ts";

const ROWS = 1500;
const MARKERS = 8;

/**
 * A trial that never was. The response follows the dose, marker 1, and age in women; marker 2 follows marker 1 and does
 * nothing itself; weight follows height. Some values are missing.
 */
export function simulatedTable(): Example {
  const key = keyFromSeed(1);
  const normal = normals(fold(key, "trial", "normal"));
  const uniform = uniforms(fold(key, "trial", "uniform"));
  const header = ["patient", "age", "sex", "dose", "height", "weight"];
  for (let m = 1; m <= MARKERS; m++) header.push(`marker_${m}`);
  const lines = [[...header, "response"].join(",")];
  for (let i = 0; i < ROWS; i++) {
    const age = Math.round(50 + 12 * normal());
    const female = uniform() < 0.5;
    const dose = 10 * Math.floor(6 * uniform());
    const height = (female ? 165 : 178) + 7 * normal();
    const weight = 0.9 * (height - 100) + 9 * normal();
    const markers = Array.from({ length: MARKERS }, normal);
    markers[1] = 0.85 * markers[0] + 0.5 * normal();
    const response =
      0.06 * dose + 1.1 * markers[0] + (female ? 0.09 * (age - 50) : 0) + 0.9 * normal();
    const cells = [height, weight, ...markers].map((value) => value.toFixed(2));
    for (let c = 0; c < cells.length; c++) if (uniform() < 0.004) cells[c] = "";
    const sex = female ? "female" : "male";
    lines.push([`P${1000 + i}`, age, sex, dose, ...cells, response.toFixed(3)].join(","));
  }
  const file = new File([`${lines.join("\n")}\n`], "trial.csv", { type: "text/csv" });
  return { files: [file], settings: { data: file.name, target: "response" } };
}
