import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  effectsFromCovariance,
  effectsFromDraws,
  effectsFromFactor,
  engine,
  fromRows,
  matrix,
  type RateOptions,
  rate,
  version,
} from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { type RankDocument, rankDocument } from "@ratewise/core/explain";
import type { Group } from "@ratewise/core/rate";
import { readCsvRecords, textOfCsvCell, writeNpz } from "@ratewise/files";
import { registerNative } from "@ratewise/native";
import { describe, expect, test } from "vitest";
import { covarianceOf, gaussian, rows } from "./support/posterior.ts";
import { run, temporaryFolder } from "./support/run.ts";

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const p = 7;
const l = 3;
const effects = gaussian(p, l);
const mean = [...effects.mean];
const factor = rows(effects.factor.data, l);
const noise = [...effects.noise];
const json = file("posterior.json", JSON.stringify({ mean, factor, noise }));
const npy = (name: string, shape: number[], data: Float64Array | Float32Array): string =>
  file(name, writeNpy({ shape, data }));

/** The document that `argv` prints. */
async function ranked(...argv: string[]): Promise<RankDocument> {
  const { code, out, err } = await run(["rank", ...argv, "--json"]);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out);
}
/** What the library says, in the same form. */
function expected(options: RateOptions = {}, from: Parameters<typeof rate>[0] = effects) {
  const record = { seed: 1, engine: "", options: {}, dataHash: "" };
  const { variant, variables, groups, delta, ess, posteriorRank, diagnostics } = rankDocument(
    rate(from, options),
    record,
  );
  return JSON.parse(
    JSON.stringify({ variant, variables, groups, delta, ess, posteriorRank, diagnostics }),
  );
}

describe("ratewise rank reads", () => {
  test("posterior.json, and prints exactly the document", async () => {
    const document = await ranked(json);
    expect(document).toMatchObject({ kind: "rank", schema: 2, version, seed: 1, ...expected() });
    expect(document.variables.map(({ name }) => name)).toEqual(
      Array.from({ length: p }, (_, j) => `x${j + 1}`),
    );
    expect(document.dataHash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  const same = async (...argv: string[]) =>
    expect(await ranked(...argv)).toEqual(await ranked(json));

  test("posterior.npz, stored and compressed", async () => {
    const arrays = [
      ["mean", { shape: [p], data: effects.mean }],
      ["factor", { shape: [p, l], data: effects.factor.data }],
      ["noise", { shape: [p], data: effects.noise }],
    ] as const;
    await same(file("stored.npz", writeNpz(arrays)));
    await same(file("compressed.npz", writeNpz(arrays, { compress: true })));
    await same(file("without-an-ending", writeNpz(arrays)));
  });

  test("one .npy file a field", async () => {
    await same(
      ...["--mean", npy("mean.npy", [p], effects.mean)],
      ...["--factor", npy("factor.npy", [p, l], effects.factor.data)],
      ...["--noise", npy("noise.npy", [p], effects.noise)],
    );
  });

  test("gzip of any of them", async () => {
    await same(file("posterior.json.gz", gzipSync(readFileSync(json))));
  });

  test("JSON with a byte order mark, and with fields that are null", async () => {
    await same(file("bom.json", `\ufeff${JSON.stringify({ mean, factor, noise, names: null })}`));
  });

  test("single precision as the doubles it stands for", async () => {
    const single = Float32Array.from(effects.mean);
    const document = await ranked(
      ...["--mean", npy("single.npy", [p], single)],
      ...["--factor", npy("factor.npy", [p, l], effects.factor.data)],
      ...["--noise", npy("noise.npy", [p], effects.noise)],
    );
    expect(document.variables.map((row) => row.mean)).toEqual([...single]);
  });

  test("mean and covariance", async () => {
    const covariance = covarianceOf(effects);
    const path = file("covariance.json", JSON.stringify({ mean, covariance }));
    const from = effectsFromCovariance(effects.mean, fromRows(covariance));
    expect(await ranked(path)).toMatchObject({ ...expected({}, from), variant: "exact" });
    const array = npy("covariance.npy", [p, p], Float64Array.from(covariance.flat()));
    expect(
      await ranked("--mean", npy("mean.npy", [p], effects.mean), "--covariance", array),
    ).toEqual(await ranked(path));
  });

  test("draws, alone and with noise", async () => {
    const s = 30;
    const draws = gaussian(s, p).factor.data;
    const path = file("draws.json", JSON.stringify({ draws: rows(draws, p) }));
    const from = effectsFromDraws(matrix(s, p, draws));
    const { diagnostics, ...rest } = expected({}, from);
    const alone = await ranked(path);
    expect(alone).toMatchObject({ ...rest, variant: "exact" });
    const few = { code: "few-draws", draws: s, variables: p };
    expect(alone.diagnostics).toEqual([expect.objectContaining(few), ...diagnostics]);
    expect(await ranked("--draws", npy("draws.npy", [s, p], draws))).toEqual(await ranked(path));
    const noisy = effectsFromDraws(matrix(s, p, draws), { noise: effects.noise });
    const array = npy("noise.npy", [p], effects.noise);
    const { diagnostics: _, ...withNoise } = expected({}, noisy);
    expect(await ranked("--draws", join(folder, "draws.npy"), "--noise", array)).toMatchObject({
      ...withNoise,
      variant: "noise",
    });
  });

  test("few draws are cautioned about, enough of them are not", async () => {
    const few = async (s: number, ...argv: string[]) => {
      const draws = gaussian(s, p).factor.data;
      const { diagnostics } = await ranked("--draws", npy(`d${s}.npy`, [s, p], draws), ...argv);
      return diagnostics.find(({ code }) => code === "few-draws")?.message;
    };
    expect(await few(5, "--variant", "pseudo-inverse")).toMatch(
      /^5 draws cannot determine .* rank 4\./,
    );
    // (s − 1)/(s − p − 2) = 20/12.
    expect(await few(21)).toMatch(/about 1\.7 times too large/);
    expect(await few(10 * p)).toBeUndefined();
  });

  test("a field it does not know, and says that it ignores it", async () => {
    const path = file("more.json", JSON.stringify({ mean, factor, noise, "nosie\u001b[2J": [1] }));
    const { code, err } = await run(["rank", path]);
    expect(code).toBe(0);
    expect(err).toBe(
      `ratewise: ${path}: a posterior has no field "nosie\\u{1b}[2J"; it is ignored\n`,
    );
  });
});

describe("names", () => {
  const names = ["a", "b", "c", "d", "e", "=f", "ü"];
  const listed = async (...argv: string[]) =>
    (await ranked(...argv)).variables.map(({ name }) => name);

  test("stand in the posterior, in JSON and in NPZ", async () => {
    expect(
      await listed(file("named.json", JSON.stringify({ mean, factor, noise, names }))),
    ).toEqual(names);
    const path = file(
      "named.npz",
      writeNpz([
        ["mean", { shape: [p], data: effects.mean }],
        ["factor", { shape: [p, l], data: effects.factor.data }],
        ["noise", { shape: [p], data: effects.noise }],
        ["names", { shape: [p], data: names }],
        ["groups", { shape: [p], data: ["A", "", "B", "A", "", "B", "A"] }],
      ]),
    );
    expect(await listed(path)).toEqual(names);
    expect((await ranked(path)).groups.map(({ name, size }) => [name, size])).toEqual([
      ["A", 3],
      ["B", 2],
    ]);
  });

  test.each([
    ["names.txt", names.join("\n")],
    ["names-ends.txt", `${names.join("\r\n")}\r\n`],
    ["names.json", JSON.stringify(names)],
    ["names.npy", writeNpy({ shape: [p], data: names })],
  ])("come from %s", async (name, content) => {
    expect(await listed(json, "--names", file(name, content))).toEqual(names);
  });
});

describe("groups", () => {
  const groups: Group[] = [
    { name: "10", members: [0, 4] },
    { name: "2", members: [4, 5, 6] },
    { name: "one", members: [1] },
  ];
  const lists = { "10": ["x1", 4], "2": [4, "x6", 6], one: ["x2"] };
  // Written by hand: JSON.stringify would put "2" first.
  const text = `{"10": ${JSON.stringify(lists["10"])}, "2": ${JSON.stringify(lists["2"])}, "one": ["x2"]}`;

  test.each([
    ["groups.json", text],
    ["groups.csv", "variable,group\nx1,10\nx5,10\nx5,2\nx6,2\nx7,2\nx2,one\n"],
    ["turned.csv", 'note,group,variable\n"a,b",10,x1\n,10,x5\n,2,x5\n,2,x6\n,2,x7\n,one,x2\n'],
    ["groups.tsv", "variable\tgroup\r\nx1\t10\r\nx5\t10\r\nx5\t2\r\nx6\t2\r\nx7\t2\r\nx2\tone\r\n"],
    ["groups.gmt", "10\t\tx1\tx5\n2\tabout\tx5\tx6\tx7\none\t\tx2\n"],
  ])("come from %s, in the order given", async (name, content) => {
    const document = await ranked(json, "--groups", file(name, content));
    expect(document).toMatchObject(expected({ groups }));
    expect(document.groups.map((row) => row.name)).toEqual(["10", "2", "one"]);
  });

  test("stand in the posterior; --groups goes before them", async () => {
    const path = file(
      "grouped.json",
      `{"mean": ${JSON.stringify(mean)}, "factor": ${JSON.stringify(factor)}, "noise": ${JSON.stringify(noise)}, "groups": ${text}}`,
    );
    expect(await ranked(path)).toMatchObject(expected({ groups }));
    const other = file("other.csv", "variable,group\nx1,mine\n");
    expect((await ranked(path, "--groups", other)).groups.map(({ name }) => name)).toEqual([
      "mine",
    ]);
  });

  test("GMT may name what is not there: counted and ignored", async () => {
    const path = file("wide.gmt", "A\t\tx1\tTP53\tx2\nB\t\tBRCA1\tTP53\n");
    const { code, out, err } = await run(["rank", json, "--groups", path, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject(expected({ groups: [{ name: "A", members: [0, 1] }] }));
    expect(err).toBe(
      `ratewise: ${path}: memberships of unknown variables, which were ignored: 3; sets left out with them: 1\n`,
    );
  });

  test("shares per member with --divide-by-group-size", async () => {
    const document = await ranked(
      json,
      "--groups",
      file("groups.json", text),
      "--divide-by-group-size",
    );
    expect(document).toMatchObject(expected({ groups, divideByGroupSize: true }));
    expect(document.groups).not.toEqual(expected({ groups }).groups);
    expect(document.options).toMatchObject({ divideByGroupSize: true });
  });
});

describe("options", () => {
  test.each(["noise", "exact", "pseudo-inverse", "r-2020", "published"] as const)(
    "--variant %s",
    async (variant) => {
      expect(await ranked(json, "--variant", variant)).toMatchObject(expected({ variant }));
    },
  );

  test("--nugget implies its variant", async () => {
    const { noise: _, ...rest } = { mean, factor, noise };
    const bare = file("bare.json", JSON.stringify(rest));
    const from = effectsFromFactor(effects.mean, effects.factor);
    const document = await ranked(bare, "--nugget", "0.5");
    expect(document).toMatchObject({ variant: "nugget", ...expected({ nugget: 0.5 }, from) });
    expect(document.options).toEqual({
      variant: null,
      nugget: 0.5,
      nullify: [],
      divideByGroupSize: false,
    });
  });

  test("--nullify takes names with commas between, given once or more", async () => {
    const document = await ranked(json, "--nullify", "x2,x3");
    expect(document).toMatchObject(expected({ nullify: [1, 2] }));
    expect(document.variables[1]).toMatchObject({ name: "x2", rank: null, rate: null, kld: null });
    expect((await ranked(json, "--nullify", "x2", "--nullify", "x3")).variables).toEqual(
      document.variables,
    );
    const named = { mean, factor, noise, names: ["a,b", "a", "b", "c", "d", "e", "f"] };
    const path = file("commas.json", JSON.stringify(named));
    expect(
      (await ranked(path, "--nullify", "a,b")).variables.map((row) => row.rank === null),
    ).toEqual([true, false, false, false, false, false, false]);
  });

  test("--seed and --engine are recorded", async () => {
    const document = await ranked(json, "--seed", "9007199254740991", "--engine", "naive");
    expect(document).toMatchObject({ seed: 9007199254740991, engine: "naive" });
    expect((await ranked(json, "--engine", "plain")).engine).toBe("plain");
  });

  test("without --engine a library that is broken is told of, and the kernels rank", async () => {
    const before = process.env.RATEWISE_OPENBLAS;
    process.env.RATEWISE_OPENBLAS = join(folder, "nowhere.so");
    await run(["rank", json, "--engine", "plain"]);
    const { code, out, err } = await run(["rank", json, "--json"]);
    if (before === undefined) delete process.env.RATEWISE_OPENBLAS;
    else process.env.RATEWISE_OPENBLAS = before;
    expect(code).toBe(0);
    expect(JSON.parse(out).engine).toBe("plain");
    expect(err).toMatch(/^ratewise: warning: OpenBLAS at .*nowhere\.so cannot be used/);
  });

  test("without --engine the system's library ranks where there is one", async () => {
    const { blas } = await registerNative();
    expect((await ranked(json)).engine).toBe(blas ? "native" : engine().name);
  });

  test("--engine native says so where there is no OpenBLAS that works", async () => {
    const before = process.env.RATEWISE_OPENBLAS;
    process.env.RATEWISE_OPENBLAS = join(folder, "nowhere.so");
    const { code, err } = await run(["rank", json, "--engine", "native"]);
    if (before === undefined) delete process.env.RATEWISE_OPENBLAS;
    else process.env.RATEWISE_OPENBLAS = before;
    expect(code).toBe(2);
    expect(err).toMatch(
      /^ratewise: rank: --engine: (OpenBLAS at .*nowhere\.so, which RATEWISE_OPENBLAS names, cannot be used \(.+\)|no engine "native")/,
    );
  });

  test("the hash is that of the numbers and names, whatever file they came from", async () => {
    const { dataHash } = await ranked(json);
    const named = { mean, factor, noise, names: ["a", "b", "c", "d", "e", "f", "g"] };
    expect((await ranked(file("n.json", JSON.stringify(named)))).dataHash).not.toBe(dataHash);
    const moved = { mean: mean.with(0, mean[0] + 1e-9), factor, noise };
    expect((await ranked(file("m.json", JSON.stringify(moved)))).dataHash).not.toBe(dataHash);
  });
});

describe("--out", () => {
  test("x.json holds the document that --json prints", async () => {
    const out = join(folder, "result.json");
    const printed = await run(["rank", json, "--json", "--out", out]);
    expect(printed).toMatchObject({ code: 0, err: `ratewise: wrote ${out}\n` });
    expect(readFileSync(out, "utf8")).toBe(printed.out);
  });

  test("x.csv holds the JSON's columns in input order, and names that no spreadsheet runs", async () => {
    const names = ["=1+1", "+x", "-y", "@z", "'=q", 'a "b", c', "tab\tin"];
    const path = file("formulas.json", JSON.stringify({ mean, factor, noise, names }));
    const out = join(folder, "result.csv");
    expect((await run(["rank", path, "--nullify", "@z", "--out", out])).code).toBe(0);
    const text = readFileSync(out, "utf8");
    const { variables } = await ranked(path, "--nullify", "@z");
    const cells = readCsvRecords(text, out, ["name"]).map(([cell]) => cell);
    expect(cells.map(textOfCsvCell)).toEqual(names);
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    const columns = ["rank", "rate", "kld", "kldExact", "mutualInformation", "mean", "sd"] as const;
    const numbers = text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(-columns.length));
    columns.forEach((column, k) => {
      const values = numbers.map((row) => (row[k] === "" ? null : Number(row[k])));
      expect(values).toEqual(variables.map((row) => row[column]));
    });
    expect(text.split("\n")[0]).toBe(`name,${columns.join(",")}`);
  });

  test("replaces an old file, and leaves no other behind", async () => {
    const before = readdirSync(folder).length;
    const out = join(folder, "result.csv");
    writeFileSync(out, "old");
    await run(["rank", json, "--out", out]);
    expect(readFileSync(out, "utf8")).toMatch(/^name,rank/);
    expect(readdirSync(folder).length).toBe(before);
  });

  test("a failed write leaves the old file as it was, and no other", async () => {
    const { atomicWrite } = await import("../src/output/atomic-write.ts");
    const out = join(folder, "kept.csv");
    writeFileSync(out, "old");
    const before = readdirSync(folder);
    const failing = function* () {
      yield "new";
      throw new Error("half way");
    };
    await expect(atomicWrite(out, failing())).rejects.toThrow("half way");
    expect(readFileSync(out, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(before);
  });

  test("nothing is written without it", async () => {
    const before = readdirSync(folder);
    await run(["rank", json]);
    expect(readdirSync(folder)).toEqual(before);
  });
});
