import { expect, test } from "vitest";
import { dataFolder, runStudy, studies } from "../src/index.ts";
import { readDigits } from "../src/mnist/digits.ts";

const folder = process.env.RATEWISE_DATA;
if (!folder) throw new Error("RATEWISE_DATA is not set: name the folder with mnist/");
const data = dataFolder(folder, folder);
const mnist = studies.find(({ name }) => name === "mnist")!;
const options = { seed: 1, quick: true, permuted: false, data, cores: 2 };

test("the digits are those of LeCun, Cortes and Burges", async () => {
  const { train, test: held } = await readDigits(data);
  expect([train.X.rows, held.X.rows, train.X.cols]).toEqual([60_000, 10_000, 324]);
  const count = (digits: Uint8Array, wanted: (digit: number) => boolean) =>
    digits.filter(wanted).length;
  expect(count(train.digit, (digit) => digit < 2)).toBe(12_665);
  expect(count(held.digit, (digit) => digit < 2)).toBe(2115);
  expect(count(train.digit, (digit) => digit % 2 === 1)).toBe(30_508);
});

test("the quick version tells digits apart and ranks pixels better than at random", async () => {
  const { document, figures } = await runStudy(mnist, options);
  expect(document.findings.filter(({ holds }) => holds !== true)).toEqual([]);
  expect(figures.map(({ name }) => name)).toEqual(
    ["zeros-ones", "evens-odds"].flatMap((name) => [
      `${name}-triangle`,
      `${name}-pixels`,
      `${name}-shuffle-test`,
    ]),
  );
});

test("with permuted labels it misses its bars", async () => {
  const { document } = await runStudy(mnist, { ...options, permuted: true });
  const missed = document.findings.filter(({ holds }) => holds === false).map(({ what }) => what);
  for (const title of ["zeros and ones", "evens and odds"]) {
    expect(missed).toContain(`${title}: accuracy on test images`);
    expect(missed).toContain(`${title}: area at random less that of RATE`);
  }
});
