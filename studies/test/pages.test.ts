import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { numbersPart, recordPart, type StudyDocument } from "../src/index.ts";
import { withNumbers } from "./support/pages.ts";

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), "utf8");

test.each(["collinearity", "hidden", "imdb", "mice", "mnist"])(
  "the numbers on the page of %s are those of its recorded result (vitest -u writes them), and its figures are there",
  async (study) => {
    const document = JSON.parse(read(`studies/results/${study}.json`)) as StudyDocument;
    const figureAt = (name: string): string => `figures/${study}-${name}.svg`;
    const numbers = `${numbersPart(document, figureAt)}\n\n${recordPart(document)}`;
    const page = `docs/studies/${study}.md`;
    await expect(withNumbers(read(page), numbers)).toMatchFileSnapshot(at(page).pathname);
    expect(document).toMatchObject({ study, quick: false, permuted: false, seed: 1 });
    expect(document.figures.length).toBeGreaterThan(0);
    for (const { name } of document.figures)
      expect(existsSync(at(`docs/studies/${figureAt(name)}`))).toBe(true);
  },
);
