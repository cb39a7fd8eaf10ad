import { writeFileSync } from "node:fs";
import { fold, keyFromSeed, normals } from "@ratewise/core";

/** y = 2a + category effect + noise; `copy` follows a; `noise…` does nothing; `label` and `three` are classes, `row` counts. */
export function writeColourTable(path: string, n: number): void {
  const next = normals(fold(keyFromSeed(1), "table"));
  const rows = Array.from({ length: n }, (_, i) => {
    const a = next();
    const level = ["red", "green", "blue"][i % 3];
    const y = 2 * a + (level === "red" ? 2 : 0) + 0.3 * next();
    const label = y > 0.7 ? "high" : "low";
    return [i + 1, a, a + 0.5 * next(), level, next(), next(), y, label, i % 3].join(",");
  });
  const header = "row,a,copy,colour,noise1,=noise2(),y,label,three";
  writeFileSync(path, `${header}\n${rows.join("\n")}\n`);
}
