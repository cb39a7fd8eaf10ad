import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, keyFromSeed, normals } from "@ratewise/core";
import type { ExplainDocument, PowerDocument } from "@ratewise/core/explain";
import { beforeAll, describe, expect, test } from "vitest";
import { run, temporaryFolder } from "./support/run.ts";

const here = temporaryFolder();
const data = join(here, "data.csv");

/** y is the sum of twelve of fifteen columns. */
beforeAll(() => {
  const next = normals(fold(keyFromSeed(2), "table"));
  const rows = Array.from({ length: 400 }, (_, i) => {
    const x = Array.from({ length: 15 }, next);
    const y = x.slice(0, 12).reduce((sum, value) => sum + value, next());
    return [...x, i % 4, y].join(",");
  });
  const header = [...Array.from({ length: 15 }, (_, j) => `x${j + 1}`), "litter", "y"].join(",");
  writeFileSync(data, `${header}\n${rows.join("\n")}\n`);
});

const explain = ["explain", data, "--target", "y", "--hidden", "8"];

describe("ratewise explain", () => {
  test("selects by knockoffs and shows what, with the words of the guarantee and rank intervals", async () => {
    const { code, out } = await run([
      ...explain,
      "--exclude",
      "litter",
      "--select",
      "fdr=0.2",
      "--stability",
      "--top",
      "5",
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/selected; rank \d+ to \d+/);
    expect(out).toMatch(/Selected at a false discovery rate of 0\.2: .*x\d/);
    expect(out).toMatch(
      /Guaranteed\s+if\s+the\s+rows\s+are\s+independent[^:]*columns\s+are\s+jointly\s+normal/,
    );
    expect(out).toMatch(/among the first\s+5/);
  });

  test("shows the q-values of groups, and that so few cannot be selected at that rate", async () => {
    const groups = join(here, "groups.json");
    writeFileSync(groups, '{ "real": ["x1", "x2"], "noise": ["x13", "x14"] }');
    const { code, out } = await run([
      ...[...explain, "--exclude", "litter", "--select", "fdr=0.2", "--groups", groups],
    ]);
    expect(code).toBe(0);
    const [, table] = out.split(/^rank {2}group .* size +q$/m);
    expect(table).toMatch(/1 {2}real .* 2 +(1|0\.\d+)$/m);
    expect(out.replace(/\s+/g, " ")).toContain("cannot be reached with 2 groups by knockoffs");
  });

  test("says that a rate was out of reach, and how to ask instead", async () => {
    const { code, out } = await run([...explain, "--exclude", "litter", "--select", "fdr=0.01"]);
    expect(code).toBe(0);
    const text = out.replace(/\s+/g, " ");
    expect(text).toContain(
      "Selected at a false discovery rate of 0.01: none (out of reach with 15 variables: at least 100 would have to be selected)",
    );
    expect(text).toContain("- A false discovery rate of 1% cannot be reached with 15 variables");
    expect(text).toContain("a higher rate (--select fdr=0.25) needs only 4");
  });

  test("gives p-values by permutation within families, in result and record", async () => {
    const { code, out } = await run([
      ...explain,
      "--select",
      "fdr=0.1",
      "--by",
      "permutation",
      "--permutations",
      "200",
      "--families",
      "litter",
      "--json",
    ]);
    expect(code).toBe(0);
    const document = JSON.parse(out) as ExplainDocument;
    expect(document.variables.length).toBe(15);
    for (const { pValue, qValue, selected } of document.variables) {
      expect(pValue! * 201).toBeCloseTo(Math.round(pValue! * 201), 6);
      expect(selected).toBe(qValue! <= 0.1);
    }
    expect(document.options).toMatchObject({
      select: { fdr: 0.1, by: "permutation", permutations: 200 },
      families: "litter",
    });
  });

  test.each([
    [["--select", "0.1"], /--select needs fdr= and a rate/],
    [["--select", "fdr=1"], /--select needs fdr= and a rate/],
    [["--by", "permutation"], /--by needs --select/],
    [
      ["--select", "fdr=0.1", "--by", "knockoff"],
      /--by needs knockoffs or permutation.*did you mean/,
    ],
    [["--select", "fdr=0.1", "--refit"], /--refit applies to permutation tests only/],
    [
      ["--select", "fdr=0.1", "--by", "permutation", "--copies", "gaussian"],
      /--copies applies to knockoffs only/,
    ],
    [
      ["--select", "fdr=0.1", "--copies", "normal"],
      /--copies needs gaussian, permuted or genotype/,
    ],
    [["--top", "3"], /--top needs --stability/],
    [["--model", "gp", "--stability"], /--stability applies to new networks only/],
  ])("refuses %j", async (options, message) => {
    const { code, err } = await run(["explain", data, "--target", "y", ...options]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("ratewise power", () => {
  const options = [
    "power",
    data,
    "--target",
    "y",
    "--exclude",
    "litter",
    "--repeats",
    "2",
    "--causal",
    "5",
  ];

  test("reports areas, false discoveries and power with intervals", async () => {
    const { code, out } = await run([...options, "--select", "fdr=0.4", "--json"]);
    expect(code).toBe(0);
    const document = JSON.parse(out) as PowerDocument;
    expect(document).toMatchObject({
      kind: "power",
      variables: 15,
      causal: 5,
      fdr: 0.4,
      by: "knockoffs",
      seed: 1,
    });
    expect(document.repeats.length).toBe(2);
    expect(document.areaDirect.lower).toBeLessThanOrEqual(document.areaDirect.mean);
    expect(document.areaDirect.mean).toBeGreaterThan(0.6);
    const text = await run([...options, "--select", "fdr=0.4"]);
    expect(text.out).toContain(document.power.mean.toFixed(3));
    expect(text.out).toMatch(/2 planted responses \(regression\) on 400 rows of 15 variables/);
  });

  test.each([
    [["power"], 2, /needs one table, got none/],
    [["power", data, "--signal", "1.5"], 2, /--signal needs a share above 0, of at most 1/],
    [["power", data, "--repeats", "0"], 2, /--repeats needs a whole number above 0/],
    [["power", data, "--target", "z"], 1, /no column "z"/],
    [["power", data, "--causal", "99"], 1, /from 1 to \d+ causal variables/],
  ])("refuses %j", async (argv, expected, message) => {
    const { code, err } = await run(argv);
    expect(code).toBe(expected);
    expect(err).toMatch(message);
  });
});
