import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wordsOf } from "../src/input/data-sets/review-counts.ts";
import { run, temporaryFolder } from "./support/run.ts";

const folder = process.env.RATEWISE_DATA;
if (!folder) throw new Error("RATEWISE_DATA is not set: name the folder with mnist/ and imdb/");
const cache = join(temporaryFolder(), "data");

const server = createServer((request, response) => {
  createReadStream(join(folder, "mnist", request.url!.slice(1))).pipe(response);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("the digits are fetched, checked and kept, once", async () => {
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { RATEWISE_CACHE: cache };
  const { code, out } = await run(["data", "get", "mnist", "--from", from], { environment });
  expect([code, out]).toEqual([0, `${join(cache, "mnist")}\n`]);
  expect(readdirSync(join(cache, "mnist"))).toHaveLength(4);
  const again = await run(["data", "get", "mnist", "--from", "http://127.0.0.1:9"], {
    environment,
  });
  expect([again.code, again.err]).toEqual([0, expect.stringContaining("is there already")]);
  expect((await run(["data"], { environment })).out).toContain(`there, in ${join(cache, "mnist")}`);
});

test("the page on studies has the sums of the files that the recorded pages were made of", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/studies.md"), "utf8");
  const sums = Array.from(page.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm), ([, sum, path]) => [
    path,
    sum,
  ]);
  expect(sums).toHaveLength(13);
  for (const [path, sum] of sums)
    expect([
      path,
      createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest("hex"),
    ]).toEqual([path, sum]);
});

test("raw reviews split into words have the counts on record", () => {
  const text = (name: string) =>
    gunzipSync(readFileSync(join(folder, "imdb", name)))
      .toString()
      .trimEnd()
      .split("\n");
  const words = readFileSync(join(folder, "imdb/imdb.vocab.tsv"), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t")[1]);
  const index = new Map(words.map((word, at) => [word, at]));
  const rowOf = new Map(
    ["train", "test"].flatMap((half) => {
      const rows = text(`imdb_${half}.feat.gz`);
      return text(`imdb_${half}.docs.tsv.gz`)
        .slice(1)
        .map((line, i): [string, string] => [line.split("\t")[0], rows[i]]);
    }),
  );
  const samples = text("imdb_sample_reviews.tsv.gz").slice(1);
  expect(samples).toHaveLength(1000);
  for (const line of samples) {
    const [file, stars, review] = line.split("\t");
    const counts = new Map<number, number>();
    for (const word of wordsOf(review)) {
      const at = index.get(word);
      if (at !== undefined) counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    const entries = [...counts].sort(([a], [b]) => a - b).map(([at, count]) => `${at}:${count}`);
    expect([stars, ...entries].join(" "), file).toBe(rowOf.get(file)!.trim());
  }
});
