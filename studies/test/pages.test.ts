import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readJournal } from "../src/journal.ts";
import {
  nullTable,
  selectionFindings,
  selectionTable,
  summariseSelection,
} from "../src/selection/summary.ts";
import { simulationReport } from "../src/simulation/report.ts";
import { recordedRows } from "../src/simulation/simulation-rows.ts";
import { numbersPart, recordPart } from "../src/study/page.ts";
import type { CorpusEntry } from "../src/tables/corpus.ts";
import type { TableResult } from "../src/tables/measure.ts";
import { originTable, tablesReport } from "../src/tables/report.ts";
import type { PeerResult } from "../src/tables/summary.ts";
import { at, pageOf, recordOf, withNumbers } from "./support/pages.ts";

test.each(["collinearity", "hidden", "imdb", "mice", "mnist"])(
  "the numbers on the page of %s are those of its recorded result (vitest -u writes them), and its figures are there",
  async (study) => {
    const document = recordOf(study);
    const figureAt = (name: string): string => `figures/${study}-${name}.svg`;
    const numbers = `${numbersPart(document, figureAt)}\n\n${recordPart(document)}`;
    const page = at(`docs/studies/${study}.md`).pathname;
    await expect(withNumbers(pageOf(study), numbers)).toMatchFileSnapshot(page);
    expect(document).toMatchObject({ study, quick: false, permuted: false, seed: 1 });
    expect(document.figures.length).toBeGreaterThan(0);
    for (const { name } of document.figures)
      expect(existsSync(at(`docs/studies/${figureAt(name)}`))).toBe(true);
  },
);

/** Pages of journals: made of their rows alone. */
const ofJournals = {
  simulation: () => simulationReport(recordedRows(), { quick: false }),
  selection: () => {
    const { selection } = recordedRows();
    const summaries = summariseSelection(selection);
    const tables = [nullTable(selection), selectionTable(summaries)];
    return { findings: selectionFindings(summaries), tables, figures: [] };
  },
  tables: () => {
    const read = (name: string): string => at(`studies/results/${name}`).pathname;
    const manifest: CorpusEntry[] = JSON.parse(readFileSync(read("tables-manifest.json"), "utf8"));
    const ours = readJournal<TableResult>(read("tables.jsonl"));
    const peers = readJournal<PeerResult>(read("tables-peers.jsonl"));
    const report = tablesReport(manifest, ours, peers);
    return { ...report, tables: [...report.tables, originTable(manifest)] };
  },
};

test.each(Object.entries(ofJournals))(
  "the numbers on the page of %s and its figures are those of the journals (vitest -u writes them)",
  async (study, made) => {
    const figureAt = (name: string): string => `figures/${study}-${name}.svg`;
    const { findings, tables, figures } = made();
    const page = at(`docs/studies/${study}.md`).pathname;
    const numbers = numbersPart({ findings, tables, figures }, figureAt);
    await expect(withNumbers(pageOf(study), numbers)).toMatchFileSnapshot(page);
    for (const { name, svg } of figures)
      await expect(svg).toMatchFileSnapshot(at(`docs/studies/${figureAt(name)}`).pathname);
    expect(findings.filter(({ holds }) => holds === false)).toEqual([]);
  },
);
