import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeNpy } from "@ratewise/core/data";
import type { RankDocument } from "@ratewise/core/explain";
import { writeNpz } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import { expectClose, type Tolerance } from "../../core/test/support/close.ts";
import { run, temporaryFolder } from "./support/run.ts";

interface Reference {
  readonly name: string;
  readonly mean: number[];
  readonly factor: number[][];
  readonly noise: number[];
  readonly covariance: number[][];
  readonly groups: number[][];
  readonly nullify: number[];
  readonly expected: Record<string, number[]> & { readonly delta: number; readonly ess: number };
}

const home = process.env.RATEWISE_REFERENCES;
if (!home)
  throw new Error("RATEWISE_REFERENCES is not set: name the folder that holds rate.json in it");
const references: Reference[] = JSON.parse(readFileSync(join(home, "rate.json"), "utf8"));
const folder = temporaryFolder();

const tight: Tolerance = { rtol: 1e-9 };
const loose: Tolerance = { rtol: 1e-6 };
type Column = "rate" | "kld" | "kldExact" | "mutualInformation" | "sd";

/** A column of the document, without the nullified. */
const column = (rows: RankDocument["variables" | "groups"], name: Column): number[] =>
  rows.filter((row) => row.rank !== null).map((row) => (row as never)[name]);

async function ranked(...argv: string[]): Promise<RankDocument> {
  const { code, out, err } = await run(["rank", ...argv, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe.each(references)(
  "$name",
  ({ name, mean, factor, noise, covariance, groups, nullify, expected }) => {
    const p = mean.length;
    const l = factor[0].length;
    const slug = name.replaceAll(" ", "-");
    const save = (ending: string, content: string | Uint8Array): string => {
      const path = join(folder, `${slug}${ending}`);
      writeFileSync(path, content);
      return path;
    };
    const named = Object.fromEntries(groups.map((members, g) => [`group ${g}`, members]));
    const posterior = save(".json", JSON.stringify({ mean, factor, noise, groups: named }));
    const bare = save("-bare.json", JSON.stringify({ mean, factor }));

    const checkAll = (document: RankDocument): void => {
      const { variables, groups: rows, delta, ess } = document;
      expectClose(column(variables, "rate"), expected.rate, tight);
      expectClose(column(variables, "kld"), expected.kldMeanTerm, tight);
      expectClose(column(variables, "kldExact"), expected.kldExact, tight);
      expectClose(column(variables, "mutualInformation"), expected.mutualInformation, tight);
      expectClose(column(variables, "sd"), expected.sd, tight);
      expectClose([delta ?? Number.NaN, ess ?? Number.NaN], [expected.delta, expected.ess], tight);
      expect(variables.map((row) => row.mean)).toEqual(mean);
      if (rows.length === 0) return;
      expectClose(column(rows, "rate"), expected.groupRate, tight);
      expectClose(column(rows, "kld"), expected.groupKldMeanTerm, tight);
      expectClose(column(rows, "kldExact"), expected.groupKldExact, tight);
      expectClose(column(rows, "mutualInformation"), expected.groupMutualInformation, tight);
    };

    test("factor and noise from JSON, with groups", async () => {
      const document = await ranked(posterior);
      expect(document.variant).toBe("noise");
      expect(document.groups).toHaveLength(groups.length);
      expect(document.posteriorRank).toBe(Math.min(p, l));
      checkAll(document);
    });

    test("the same from NPZ and from NPY", async () => {
      const flat = Float64Array.from(factor.flat());
      const arrays = {
        mean: { shape: [p], data: Float64Array.from(mean) },
        factor: { shape: [p, l], data: flat },
        noise: { shape: [p], data: Float64Array.from(noise) },
      };
      checkAll(await ranked(save(".npz", writeNpz(Object.entries(arrays), { compress: true }))));
      const paths = Object.entries(arrays).flatMap(([field, array]) => [
        `--${field}`,
        save(`-${field}.npy`, writeNpy(array)),
      ]);
      checkAll(await ranked(...paths));
    });

    test("mean and covariance", async () => {
      const path = save("-covariance.json", JSON.stringify({ mean, covariance, groups: named }));
      const document = await ranked(path);
      expect(document.variant).toBe("exact");
      checkAll(document);
    });

    test("nullified variables", async () => {
      const names = nullify.map((j) => `x${j + 1}`).join(",");
      const { variables } = await ranked(posterior, "--nullify", names);
      expectClose(column(variables, "rate"), expected.nullifiedRate, tight);
      for (const j of nullify) expect(variables[j]).toMatchObject({ rank: null, rate: null });
    });

    test("r-2020", async () => {
      const { variables } = await ranked(posterior, "--variant", "r-2020");
      expectClose(column(variables, "rate"), expected.r2020Rate, loose);
      expect(variables[0]).toMatchObject({ kldExact: null, mutualInformation: null });
    });

    test("published, at full rank", async () => {
      const { variables } = await ranked(posterior, "--variant", "published");
      expectClose(column(variables, "rate"), expected.publishedFullRank, tight);
    });

    // The references have these where the factor alone is singular.
    if (expected.publishedFactorOnly)
      test("published and pseudo-inverse, of the factor alone", async () => {
        const { variables } = await ranked(bare, "--variant", "published");
        expectClose(column(variables, "rate"), expected.publishedFactorOnly, tight);
        expectClose(column(variables, "rate"), expected.publishedPythonOutput, tight);
        const inverse = await ranked(bare, "--variant", "pseudo-inverse");
        expectClose(column(inverse.variables, "rate"), expected.pseudoInverseRate, loose);
      });

    test("through the installed command, to the same bytes", async () => {
      const bin = join(import.meta.dirname, "../bin/ratewise.mjs");
      const argv = ["rank", posterior, "--json", "--engine", "plain"];
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...argv], {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([0, ""]);
      checkAll(JSON.parse(stdout));
      expect(stdout).toBe((await run(argv)).out);
    });
  },
);

test("the references cover every expected number", () => {
  const keys = new Set(references.flatMap(({ expected }) => Object.keys(expected)));
  expect([...keys].sort()).toEqual(
    [
      ...["kldMeanTerm", "kldExact", "mutualInformation", "rate", "delta", "ess", "sd"],
      ...["groupKldMeanTerm", "groupKldExact", "groupMutualInformation", "groupRate"],
      ...["nullifiedRate", "r2020Rate", "publishedFullRank", "publishedFactorOnly"],
      ...["publishedPythonOutput", "pseudoInverseRate"],
    ].sort(),
  );
});
