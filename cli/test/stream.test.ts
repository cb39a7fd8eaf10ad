import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeNpy } from "@ratewise/core/data";
import { describe, expect, test } from "vitest";
import { run } from "./support/run.ts";
import {
  common,
  expected,
  file,
  H,
  inputs,
  l,
  n,
  names,
  p,
  writeBed,
  X,
} from "./support/stream-files.ts";

describe.each(inputs)("%s", (name, argv) => {
  test.each(["columns", "rows"])(
    "streamed by %s has the RATE and groupRATE of the table in memory",
    async (by) => {
      const { code, out, err } = await run([
        "stream",
        ...argv(),
        ...common(),
        "--by",
        by,
        "--json",
      ]);
      expect([code, err]).toEqual([0, ""]);
      const document = JSON.parse(out);
      const result = expected();
      expect(document.options).toMatchObject({
        by,
        target: name === "a .bed file" ? "phenotype" : "y",
      });
      document.variables.forEach((row: { name: string; rate: number; rank: number }, j: number) => {
        expect(row.name).toBe(names[j]);
        expect(row.rank).toBe(result.variables.rank[j]);
        expect(Math.abs(row.rate - result.variables.rate[j])).toBeLessThan(1e-10);
      });
      expect(Math.abs(document.groups[0].kld - result.groups!.kld[0])).toBeLessThan(
        1e-10 * result.groups!.kld[0],
      );
    },
  );
});

test("--plan says blocks, time, memory and disk, and stops", async () => {
  const { code, out } = await run([
    "stream",
    ...inputs[0][1](),
    ...common(),
    "--plan",
    "--memory",
    "1GB",
    "--out",
    file("never"),
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/x\.bed \(bed\): 60 rows, 40 columns, 1 KB to read/);
  expect(out).toMatch(/^blocks {4}1 of 40 columns, for 3 hidden units$/m);
  expect(out).toMatch(/^time {6}about a second/m);
  expect(out).toMatch(/^memory {4}about \d+ MB of 1\.0 GB allowed$/m);
  expect(out).toMatch(/^disk {6}2 KB for finished blocks/m);
  const json = await run(["stream", ...inputs[0][1](), ...common(), "--plan", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({
    ...{ kind: "stream-plan", rows: 60, columns: 40, width: 3, blocks: 1, by: "columns" },
    training: null,
  });
  expect(existsSync(file("never"))).toBe(false);
  const training = await run(["stream", ...inputs[0][1](), "--plan", "--memory", "2GB"]);
  expect(training.out).toMatch(
    /^train {5}12 to 40 epochs of about a second; 1 KB of scratch room$/m,
  );
});

test("a figure that --memory has no room for is left out, and said to be", async () => {
  const out = file("no-room");
  const argv = ["stream", ...inputs[0][1](), ...common(), "--out", out];
  const { code, err } = await run([...argv, "--memory", "180MB"]);
  expect([code, err]).toEqual([
    0,
    `ratewise: no figure of the chromosomes: it needs 64 MB more; allow them with --memory\nratewise: wrote result.json, importance.csv, groups.csv to ${out}\n`,
  ]);
  expect(existsSync(join(out, "figures"))).toBe(false);
  await run([...argv, "--memory", "300MB"]);
  expect(existsSync(join(out, "figures", "manhattan.png"))).toBe(true);
  // The figure of an older result leaves with it.
  await run([...argv, "--memory", "180MB"]);
  expect(existsSync(join(out, "figures"))).toBe(false);
});

test("less memory than it takes is refused with what it takes", async () => {
  const { code, err } = await run(["stream", ...inputs[0][1](), ...common(), "--memory", "20MB"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /x\.bed: needs at least \d+ MB for 40 variables and 3 hidden units, may use 20 MB/,
  );
});

test("without a network one is trained from the blocks, and says what it uses directly", async () => {
  const out = file("trained");
  const {
    code,
    err,
    out: text,
  } = await run([
    "stream",
    file("x.bed"),
    "--hidden",
    "8,4",
    "--epochs",
    "3",
    "--penalty",
    "0.5",
    "--batch",
    "16",
    "--task",
    "regression",
    "--out",
    out,
  ]);
  expect(code, err).toBe(0);
  const [head, first] = readFileSync(join(out, "importance.csv"), "utf8").split("\n");
  expect(head).toBe(
    "name,chromosome,position,a1,a2,a1Frequency,rank,rate,kld,kldExact,mutualInformation,mean,sd,direct",
  );
  expect(err).toContain(
    "wrote result.json, importance.csv, figures/manhattan.svg, figures/manhattan.png, figures/manhattan-direct.svg, figures/manhattan-direct.png",
  );
  const shown = (name: string): string => readFileSync(join(out, "figures", name), "utf8");
  // The first variant has position 0, which is no place.
  expect(shown("manhattan.svg")).toContain("RATE of 39 variants along one chromosome");
  expect(shown("manhattan-direct.svg")).toContain("direct share of 39 variants");
  const copies = Array.from({ length: n }, (_, i) => X.data[i * p]);
  const cells = first.split(",");
  expect(cells).toHaveLength(14);
  expect(cells.slice(0, 5)).toEqual(["rs0", "1", "0", "A", "G"]);
  expect(Number(cells[5])).toBeCloseTo(copies.reduce((sum, c) => sum + c, 0) / (2 * n), 12);
  const { options } = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
  expect(options.model).toMatchObject({
    ...{ kind: "trained", layers: [8, 4], penalty: 0.5, epochs: 3 },
    heldOut: { metric: "r2", rows: 18 },
  });
  const { score, baseline, standardError } = options.model.heldOut;
  expect(text.replaceAll("\n", " ")).toContain(
    `On the 18 rows held back it explains ${(100 * score).toFixed(1)}% of the variance (the mean alone ${(100 * baseline).toFixed(1)}%, standard error ${(100 * standardError).toFixed(1)}%)`,
  );
});

test("a selection after training says what it does not guarantee, on the screen and in the result", async () => {
  const argv = [
    ...["stream", file("x.bed"), "--hidden", "4", "--epochs", "1", "--penalty", "1"],
    ...["--task", "regression", "--select", "fdr=0.1", "--permutations", "19"],
  ];
  const { out } = await run(argv);
  expect(out.replace(/\s+/g, " ")).toContain("the false discovery rate may exceed 0.1");
  expect(out.replace(/\s+/g, " ")).toContain(
    "variables. Not guaranteed: the network was trained on these same rows",
  );
  const { diagnostics } = JSON.parse((await run([...argv, "--json"])).out);
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: "selected-after-training", guaranteed: false }),
  );
});

test("a network that was trained is kept when what follows fails, and --resume does not train again", async () => {
  const out = file("kept-network");
  const argv = [
    ...["stream", file("x.bed"), "--hidden", "4", "--epochs", "2", "--penalty", "1"],
    ...["--task", "regression", "--out", out],
  ];
  const failed = await run([...argv, "--groups", file("no-such.json")]);
  expect(failed.code).toBe(1);
  expect(failed.err).toContain(
    "the trained network is saved; the same command with --resume continues from there",
  );
  const phases: string[] = [];
  const onProgress = ({ phase }: { phase: string }) => void phases.push(phase);
  const resumed = await run([...argv, "--resume"], { onProgress });
  expect(resumed.code, resumed.err).toBe(0);
  expect(phases).not.toContain("train");
  const whole = await run([...argv, "--force"], { onProgress });
  expect(phases).toContain("train");
  expect(resumed.out).toBe(whole.out);
});

test("--select adds permutation p-values", async () => {
  const out = file("selected");
  const { code, out: printed } = await run([
    "stream",
    ...inputs[0][1](),
    ...common(),
    "--select",
    "fdr=0.2",
    "--permutations",
    "99",
    "--out",
    out,
  ]);
  expect(code).toBe(0);
  expect(printed.replace(/\s+/g, " ")).toMatch(
    /Selected at a false discovery rate of 0\.2, by 99 permutations: \d+ of 40 variables, \d of 1 groups\./,
  );
  const groups = readFileSync(join(out, "groups.csv"), "utf8").trim().split("\n");
  expect(groups[0]).toBe(
    "name,size,rank,rate,kld,kldExact,mutualInformation,pValue,qValue,selected",
  );
  const document = JSON.parse(readFileSync(join(out, "result.json"), "utf8"));
  // The best variants are shown with their places.
  const best = document.variables.find((row: { rank: number }) => row.rank === 1).name;
  expect(printed).toContain(`1  ${best} 1:${(1000 * Number(best.slice(2))).toLocaleString("en")} `);
  expect(groups[1]).toMatch(/^g,3,1,1,[\d.e-]+,[\d.e-]+,[\d.e-]+,[\d.]+,[\d.]+,(true|false)$/);
  expect(groups[1].split(",")[4]).toBe(`${document.groups[0].kld}`);
  expect(document.diagnostics).toContainEqual(
    expect.objectContaining({ code: "selected-given-network" }),
  );
  const rows = readFileSync(join(out, "importance.csv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  expect(rows[0].slice(-3)).toEqual(["pValue", "qValue", "selected"]);
  const pValues = rows.slice(1).map((row) => Number(row.at(-3)));
  expect(
    pValues.every(
      (value) =>
        value >= 0.01 && value <= 1 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-9,
    ),
  ).toBe(true);
});

test("rows without a phenotype are left out", async () => {
  writeBed("gaps");
  const fam = readFileSync(file("gaps.fam"), "utf8").split("\n");
  fam[5] = fam[5].replace(/\S+$/, "-9");
  writeFileSync(file("gaps.fam"), fam.join("\n"));
  const { code, out } = await run([
    "stream",
    file("gaps.bed"),
    "--activations",
    file("H.npy"),
    "--task",
    "regression",
    "--json",
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(out).diagnostics[0].message).toBe(
    '1 of 60 rows have no value of "phenotype" and are left out.',
  );
});

test("copies of a column keep the order of the columns, in whatever blocks they stand", async () => {
  const [copies, width] = [6, 4];
  const data = Float64Array.from({ length: n * copies * width }, (_, e) => {
    const [i, j] = [Math.floor(e / (copies * width)), e % (copies * width)];
    return Math.fround(X.data[i * p + (j % width)] / 3 + H.data[i * l + (j % 2)] / 7);
  });
  writeFileSync(file("copies.npy"), writeNpy({ shape: [n, copies * width], data }));
  for (const block of ["5", "7", "24"]) {
    const { out } = await run([
      ...["stream", file("copies.npy"), "--target", file("y.npy"), "--activations", file("H.npy")],
      ...["--by", "columns", "--block", block, "--json"],
    ]);
    const ranks = JSON.parse(out).variables.map((row: { rank: number }) => row.rank);
    for (let j = 0; j < width; j++)
      for (let c = 1; c < copies; c++) expect(ranks[c * width + j] - ranks[j]).toBe(c);
  }
});
