import { expect, test } from "vitest";
import { readReviews } from "../src/imdb/reviews.ts";
import { dataFolder, runStudy, studies } from "../src/index.ts";

const folder = process.env.RATEWISE_DATA;
if (!folder) throw new Error("RATEWISE_DATA is not set: name the folder with imdb/");
const data = dataFolder(folder, folder);
const imdb = studies.find(({ name }) => name === "imdb")!;
const options = { seed: 1, quick: true, permuted: false, data, cores: 2 };

test("the reviews are those of Maas and others, with the words ranked 21 to 1,020", async () => {
  const { counts, positive, words } = await readReviews(data);
  expect([counts.rows, counts.cols]).toEqual([50_000, 1000]);
  expect(positive.reduce((sum, value) => sum + value, 0)).toBe(25_000);
  expect(words.slice(0, 3)).toEqual(["not", "you", "are"]);
  // From the vocabulary's own record: "not" stands 30,610 times in the training half.
  let not = 0;
  for (let e = 0; e < counts.starts[25_000]; e++)
    if (counts.columns[e] === 0) not += counts.values[e];
  expect(not).toBe(30_610);
});

test("the quick version finds the words that negative reviews are made of", async () => {
  const { document, figures } = await runStudy(imdb, options);
  expect(document.findings.filter(({ holds }) => holds !== true)).toEqual([]);
  expect(document.tables[0].rows[0].join()).toMatch(/^RATE,.*\bworst\b/);
  expect(figures.map(({ name }) => name)).toEqual(["words", "shuffle-test"]);
});

test("with permuted labels it misses its bars", async () => {
  const { document } = await runStudy(imdb, { ...options, permuted: true });
  const missed = document.findings.filter(({ holds }) => holds === false).map(({ what }) => what);
  expect(missed).toContain("accuracy on test reviews");
  expect(missed).toContain("area at random less that of RATE");
});
