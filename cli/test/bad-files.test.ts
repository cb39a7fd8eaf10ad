import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeNpy } from "@ratewise/core/data";
import { writeNpz } from "@ratewise/files";
import { describe, expect, test } from "vitest";
import { arrays, factor, json, mean, p, type Refusal, refuses } from "./support/refusal.ts";
import { run, temporaryFolder } from "./support/run.ts";

const npy = (shape: number[], data: Float64Array): Uint8Array => writeNpy({ shape, data });
const replaced = (bytes: Uint8Array, from: string, to: string): Uint8Array =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString("latin1").replace(from, to), "latin1"));
const pickled = (): Uint8Array => replaced(npy([p], mean), "'<f8'", "'|O' ");
const absurd = (): Uint8Array =>
  replaced(npy([p, 2], factor.data), `(4, 2), }${" ".repeat(12)}`, "(4000000000000, 2), }");

/** Written by NumPy 1.24.2: np.savez_compressed(file, mean=np.array([1, "a"], dtype=object)). */
const pickledArchive = new Uint8Array(
  Buffer.from(
    "UEsDBBQAAAAIAAAAIQC7jhZk0AAAACQBAAAIABQAbWVhbi5ucHkBABAAJAEAAAAAAADQAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loF7jr66joJ6WX1RSlJgXn1+UkgoSdkvMKU4FihdnJBakAvkaRjqaOgq1CpQArgbm5LzS3IJKveT8olS93NKckszEoqLESq74otTk/LzikqLS5BKuQgaIKq68FIhsIaM3Q2shkzNjUiFzeyFLUCGrhjejN1NrIRtUYUpJZUEqVyF7BBMDA4O/RSFHZ0d7IWdQIZeGN3MEI1CsppDbz8/P6z8QgAlv+5JCnqTO2EJeoElgFYmFfKklhfxJegBQSwECFAMUAAAACAAAACEAu44WZNAAAAAkAQAACAAAAAAAAAAAAAAAgAEAAAAAbWVhbi5ucHlQSwUGAAAAAAEAAQA2AAAACgEAAAAA",
    "base64",
  ),
);

/** Zeros, which inflate to a thousand times the file. */
const bomb = (): Uint8Array =>
  writeNpz([["mean", { shape: [4e7], data: new Float64Array(4e7) }]], { compress: true });

const cases: Refusal[] = [
  [
    "a truncated .npy",
    { "m.npy": npy([p], mean).subarray(0, -3), "f.npy": npy([p, 2], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "m.npy: needs 32 bytes of numbers for shape (4), got 29; the file is truncated",
  ],
  [
    "a .npy of absurd shape",
    { "m.npy": npy([p], mean), "f.npy": absurd() },
    ["--mean", "m.npy", "--factor", "f.npy"],
    /f\.npy: needs .* bytes of numbers for shape \(4000000000000, 2\), got \d+; the file is truncated/,
  ],
  [
    "a .npy with another magic",
    { "m.npy": "mean of the effects", "f.npy": npy([p, 2], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "m.npy: needs the magic \\x93NUMPY, got something else at byte 0",
  ],
  [
    "a .npy of pickled objects",
    { "m.npy": pickled(), "f.npy": npy([p, 2], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "m.npy: needs numbers or text, got pickled Python objects",
  ],
  [
    "a .npy of text",
    { "m.npy": writeNpy({ shape: [2], data: ["a", "b"] }), "f.npy": npy([p, 2], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "m.npy: needs numbers, got text",
  ],
  [
    "an empty .npy",
    { "m.npy": "", "f.npy": npy([p, 2], factor.data) },
    ["--mean", "m.npy", "--factor", "f.npy"],
    "m.npy: needs a .npy file of at least 10 bytes, got 0 bytes",
  ],
  [
    "a truncated .npz",
    { "a.npz": arrays().subarray(0, -40) },
    ["a.npz"],
    "a.npz: needs a ZIP archive",
  ],
  [
    "an .npz with another magic",
    { "a.npz": "mean and factor and noise" },
    ["a.npz"],
    "a.npz: needs a ZIP archive, got no end of its directory",
  ],
  ["a damaged .npz", { "a.npz": arrays().with(370, 77) }, ["a.npz"], /a\.npz: .*(checksum|damage)/],
  [
    "a zip bomb",
    { "a.npz": bomb() },
    ["a.npz"],
    /a\.npz: needs at most 268435456 bytes once inflated, got 320000128 or more/,
  ],
  [
    "an .npz of pickled objects",
    { "a.npz": pickledArchive },
    ["a.npz"],
    "a.npz: mean.npy: needs numbers or text, got pickled Python objects",
  ],
  [
    "names of numbers in an .npz",
    { "a.npz": arrays({ names: { shape: [p], data: mean } }) },
    ["a.npz"],
    "a.npz: names: needs a list of texts, got numbers",
  ],
  [
    "a truncated gzip",
    { "a.json.gz": gzipSync(json({})).subarray(0, 60) },
    ["a.json.gz"],
    /a\.json\.gz: needs/,
  ],
  [
    "malformed JSON",
    { "a.json": '{\n "mean": [1, 2,]\n}' },
    ["a.json"],
    'a.json: needs a value, got "]" at line 2, column 16',
  ],
  [
    "JSON that ends early",
    { "a.json": '{"mean": [1, 2' },
    ["a.json"],
    "a.json: needs a comma or ], got the end of the text at line 1, column 15",
  ],
  [
    "a field given twice",
    { "a.json": '{"mean": [1, 2], "mean": [3, 4]}' },
    ["a.json"],
    /a\.json: needs every key once, got .* at line 1, column 18/,
  ],
  ["JSON that is a list", { "a.json": "[1, 2]" }, ["a.json"], "a.json: needs an object"],
  [
    "JSON in another encoding",
    { "a.json": Uint8Array.of(0xff, 0xfe, 0x7b, 0) },
    ["a.json"],
    "a.json: needs text in UTF-8, got other bytes",
  ],
  [
    "an empty file",
    { "a.json": "" },
    ["a.json"],
    "a.json: needs a value, got the end of the text at line 1, column 1",
  ],
  [
    "a table where a posterior should be",
    { "flats.csv": "area,rooms,age,tram,price\n80,3,20,4,200\n" },
    ["flats.csv"],
    'flats.csv: is not a posterior: needs JSON or NPZ, got text that begins "area,rooms,age,tram,…"',
  ],
  ["a .npy where a posterior should be", { "m.npy": npy([p], mean) }, ["m.npy"], "m.npy: "],
  ["a missing file", {}, ["nowhere.json"], "nowhere.json: there is no such file"],
  [
    "a missing array",
    { "m.npy": npy([p], mean) },
    ["--mean", "m.npy", "--factor", "nowhere.npy"],
    "nowhere.npy: there is no such file",
  ],
  [
    "a missing file of groups",
    { "a.json": json({}) },
    ["a.json", "--groups", "nowhere.csv"],
    "nowhere.csv: there is no such file",
  ],
  [
    "a file below a file",
    { "a.json": json({}) },
    ["a.json/b.json"],
    "a.json/b.json: there is no such file",
  ],
  ["a folder instead of a file", {}, ["folder"], "folder: needs a file, got a folder"],
];

describe("ratewise rank refuses files that are not what they say", () => {
  test.each(cases)("%s", refuses);
});

describe("what cannot be written", () => {
  const folder = temporaryFolder();
  const path = join(folder, "good.json");
  writeFileSync(path, json());

  test("a folder that is not there", async () => {
    const out = join(folder, "nowhere", "x.csv");
    expect(await run(["rank", path, "--out", out])).toEqual({
      code: 1,
      out: "",
      err: `ratewise: ${out}: there is no folder ${join(folder, "nowhere")}; make it first\n`,
    });
  });

  test("a folder in the place of the file", async () => {
    mkdirSync(join(folder, "taken.csv"));
    const { code, out, err } = await run(["rank", path, "--out", join(folder, "taken.csv")]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("taken.csv: needs the name of a file, got something else there");
  });
});
