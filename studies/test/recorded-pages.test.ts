import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type StudyDocument, studyPage } from "../src/index.ts";

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), "utf8");

test.each(["collinearity", "hidden", "imdb", "mice", "mnist"])(
  "the page of %s is that of its recorded result, and its figures are there",
  (study) => {
    const document = JSON.parse(read(`studies/results/${study}.json`)) as StudyDocument;
    const page = studyPage(document).replaceAll("](figures/", `](figures/${study}-`);
    expect(read(`docs/studies/${study}.md`)).toBe(page);
    expect(document).toMatchObject({ study, quick: false, permuted: false, seed: 1 });
    expect(document.figures.length).toBeGreaterThan(0);
    for (const { name } of document.figures)
      expect(existsSync(at(`docs/studies/figures/${study}-${name}.svg`))).toBe(true);
  },
);
