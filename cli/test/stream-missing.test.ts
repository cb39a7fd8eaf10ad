import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { matrix, rate } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { effectSizes } from "@ratewise/core/effects";
import { refitLastLayer } from "@ratewise/core/posterior";
import { writeParquet } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import { run } from "./support/run.ts";
import { file, H, l, n, names, p, writeBed, writeZarr, X, y } from "./support/stream-files.ts";

/** Every seventh genotype, and all of variant 11. */
const isMissing = (i: number, j: number): boolean => (i * p + j) % 7 === 0 || j === 11;

function writeMissing(name: string): void {
  writeBed(name);
  const bed = readFileSync(file(`${name}.bed`));
  const stride = Math.ceil(n / 4);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < p; j++)
      if (isMissing(i, j)) {
        const at = 3 + j * stride + (i >> 2);
        const shift = 2 * (i & 3);
        bed[at] = (bed[at] & ~(3 << shift)) | (1 << shift);
      }
  writeFileSync(file(`${name}.bed`), bed);
}

/** RATE of these rows in memory, missing genotypes at the means of the rows. */
function inMemory(rows: readonly number[]): Float64Array {
  const pick = (data: Float64Array, width: number) =>
    matrix(
      rows.length,
      width,
      Float64Array.from(rows.flatMap((i) => [...data.subarray(i * width, (i + 1) * width)])),
    );
  const full = pick(X.data, p);
  for (let j = 0; j < p; j++) {
    const known = rows.flatMap((i, at) => (isMissing(i, j) ? [] : [full.data[at * p + j]]));
    const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
    rows.forEach((i, at) => {
      if (isMissing(i, j)) full.data[at * p + j] = mean;
    });
  }
  const hidden = pick(H.data, l);
  const { posterior, noiseVariance } = refitLastLayer(
    hidden,
    Float64Array.from(rows, (i) => y[i]),
    { link: "identity", around: "mode", bias: "integrated" },
  );
  return rate(effectSizes(full, hidden, posterior.outputs[0], { noiseVariance: noiseVariance! }))
    .variables.rate;
}

describe("missing genotypes stand at their variant's mean", () => {
  test.each([
    ["all rows", []],
    ["the rows with a phenotype", [5, 6, 41]],
  ] as const)("over %s, by either plan", async (_, without) => {
    writeMissing("holes");
    const fam = readFileSync(file("holes.fam"), "utf8").split("\n");
    for (const i of without) fam[i] = fam[i].replace(/\S+$/, "-9");
    writeFileSync(file("holes.fam"), fam.join("\n"));
    const rows = Array.from({ length: n }, (_, i) => i).filter(
      (i) => !(without as readonly number[]).includes(i),
    );
    const expected = inMemory(rows);
    const frequencies: string[][] = [];
    for (const [by, block] of [
      ["columns", "7"],
      ["rows", "9"],
    ]) {
      const { code, out, err } = await run([
        ...["stream", file("holes.bed"), "--task", "regression", "--activations", file("H.npy")],
        ...["--by", by, "--block", block, "--json", "--out", file("holes"), "--force"],
      ]);
      expect(code, err).toBe(0);
      const { variables } = JSON.parse(out);
      for (const [j, row] of variables.entries())
        expect(Math.abs(row.rate - expected[j]), `${by} ${j}`).toBeLessThan(1e-10);
      const lines = readFileSync(join(file("holes"), "importance.csv"), "utf8").split("\n");
      frequencies.push(lines.slice(1, -1).map((line) => Number(line.split(",")[5]).toFixed(12)));
      expect(lines[12].split(",")[5], "a variant of which nothing is known").toBe("");
    }
    expect(frequencies[1]).toEqual(frequencies[0]);
  });
});

describe("what is missing elsewhere is refused by its place", () => {
  const broken = X.data.slice();
  broken[33 * p + 24] = Number.NaN;
  const rest = ["--activations", file("H.npy"), "--target"];
  const formats: [string, () => string[], string][] = [
    [
      "NaN in .npy",
      () => {
        writeFileSync(file("nan.npy"), writeNpy({ shape: [n, p], data: broken }));
        return [file("nan.npy"), ...rest, file("y.npy")];
      },
      "got NaN or infinity in row 33, column 24, counted from 0; drop or fill it",
    ],
    [
      "NaN in Zarr",
      () => {
        writeZarr("nan.zarr", 3, broken);
        return [file("nan.zarr"), ...rest, file("y.npy")];
      },
      "got NaN or infinity in row 33, column 24, counted from 0; drop or fill it",
    ],
    [
      "null in Parquet",
      () => {
        const columns = names.map((name, j) => ({
          ...{ name, kind: "number" as const },
          values: Array.from({ length: n }, (_, i) =>
            i === 33 && j === 24 ? null : X.data[i * p + j],
          ),
        }));
        const response = { name: "y", kind: "number" as const, values: [...y] };
        writeFileSync(file("null.parquet"), writeParquet([...columns, response]));
        return [file("null.parquet"), ...rest, "y"];
      },
      'got a missing value, NaN or infinity in row 33, column 24 ("rs24"), counted from 0; drop or fill it',
    ],
  ];
  test.each(formats)("%s", async (_, argv, message) => {
    for (const by of ["columns", "rows"]) {
      const { code, err } = await run(["stream", ...argv(), "--by", by]);
      expect([code, err.includes(message)], err).toEqual([1, true]);
    }
    const trained = await run(["stream", ...argv().filter((word) => !/H\.npy|--act/.test(word))]);
    expect([trained.code, trained.err.includes(message)], trained.err).toEqual([1, true]);
  });
});
