import { expect, test } from "vitest";
import { diagnostic } from "../../../src/diagnostic.ts";
import { rankDocument, rankDocumentText } from "../../../src/explain/document/rank-document.ts";
import type { RateResult } from "../../../src/rate/result.ts";

/** Three variables of which the second is nullified, and one group. */
const result: RateResult = {
  variant: "noise",
  variables: {
    names: ["a},{", "\u202e\u009b31m\u001b", "c"],
    rate: Float64Array.of(0.25, Number.NaN, 0.75),
    kld: Float64Array.of(1, Number.NaN, 3),
    kldExact: Float64Array.of(2, Number.NaN, 4),
    mutualInformation: Float64Array.of(0.1, Number.NaN, 0.2),
    rank: Uint32Array.of(2, 0, 1),
    mean: Float64Array.of(-1, 5, 2),
    sd: Float64Array.of(0.5, 1, 2),
  },
  groups: {
    names: ["g"],
    sizes: Uint32Array.of(2),
    rate: Float64Array.of(1),
    kld: Float64Array.of(7),
    kldExact: null,
    mutualInformation: null,
    rank: Uint32Array.of(1),
  },
  delta: 0.5,
  ess: 66,
  posteriorRank: 2,
  diagnostics: [diagnostic("rows-missing", "y", { rows: 3 })],
};
const record = { seed: 4, engine: "plain", options: { nugget: null }, dataHash: "sha256:0" };

test("rankDocument has the fields of the contract, in its order", () => {
  const document = rankDocument(result, record);
  expect(document).toEqual({
    kind: "rank",
    schema: 2,
    variant: "noise",
    variables: [
      {
        name: "a},{",
        rank: 2,
        rate: 0.25,
        kld: 1,
        kldExact: 2,
        mutualInformation: 0.1,
        mean: -1,
        sd: 0.5,
      },
      {
        name: "\u202e\u009b31m\u001b",
        rank: null,
        rate: null,
        kld: null,
        kldExact: null,
        mutualInformation: null,
        mean: 5,
        sd: 1,
      },
      {
        name: "c",
        rank: 1,
        rate: 0.75,
        kld: 3,
        kldExact: 4,
        mutualInformation: 0.2,
        mean: 2,
        sd: 2,
      },
    ],
    groups: [
      { name: "g", size: 2, rank: 1, rate: 1, kld: 7, kldExact: null, mutualInformation: null },
    ],
    delta: 0.5,
    ess: 66,
    posteriorRank: 2,
    diagnostics: [{ code: "rows-missing", severity: "note", message: "y", rows: 3 }],
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    seed: 4,
    engine: "plain",
    options: { nugget: null },
    dataHash: "sha256:0",
  });
  expect(Object.keys(document.variables[0])).toEqual([
    "name",
    "rank",
    "rate",
    "kld",
    "kldExact",
    "mutualInformation",
    "mean",
    "sd",
  ]);
  expect(Object.keys(document.groups[0]).slice(0, 3)).toEqual(["name", "size", "rank"]);
});

test("rankDocumentText is the same document", () => {
  const text = [...rankDocumentText(result, record)].join("");
  expect(JSON.parse(text)).toEqual(rankDocument(result, record));
  const bare = { ...result, groups: null };
  expect(JSON.parse([...rankDocumentText(bare, record)].join(""))).toEqual(
    rankDocument(bare, record),
  );
});

test("no character of the text can command a terminal", () => {
  const text = [...rankDocumentText(result, record)].join("");
  expect(text).toContain("\\u202e\\u009b31m\\u001b");
  expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|[^\P{Cc}\n]/u);
});

test("many variables come in pieces of bounded length", () => {
  const p = 5000;
  const values = Float64Array.from({ length: p }, (_, j) => 1 / (j + 3));
  const many: RateResult = {
    ...result,
    groups: null,
    variables: {
      names: Array.from({ length: p }, (_, j) => `x${j}`),
      rate: values,
      kld: values,
      kldExact: values,
      mutualInformation: values,
      mean: values,
      sd: values,
      rank: Uint32Array.from({ length: p }, (_, j) => j + 1),
    },
  };
  const pieces = [...rankDocumentText(many, record)];
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000);
  expect(JSON.parse(pieces.join("")).variables).toHaveLength(p);
});
