import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readJournal } from "../../src/journal.ts";
import type { CorpusEntry } from "../../src/tables/corpus.ts";
import { type PeerResult, peerNames } from "../../src/tables/summary.ts";

const results = fileURLToPath(new URL("../../results/", import.meta.url));
const manifest: CorpusEntry[] = JSON.parse(readFileSync(`${results}tables-manifest.json`, "utf8"));
const peers = readJournal<PeerResult>(`${results}tables-peers.jsonl`);

test("the tables are at least as many as asked, and named once each", () => {
  const of = (group: string) => manifest.filter((entry) => entry.group === group).length;
  expect(of("named")).toBeGreaterThanOrEqual(28);
  expect(of("further")).toBeGreaterThanOrEqual(14);
  expect(new Set(manifest.map(({ name }) => name)).size).toBe(manifest.length);
  expect(new Set(manifest.map(({ sha256 }) => sha256)).size).toBe(manifest.length);
});

test("every line of the other models is about a file of the manifest, and stands there once", () => {
  const seen = new Set<string>();
  for (const { table, sha256, cut, seed, model, score, logLoss } of peers) {
    const line = JSON.stringify([table, cut, seed, model]);
    const entry = manifest.find(({ name }) => name === table);
    expect(entry?.sha256, line).toBe(sha256);
    expect(seen, line).not.toContain(line);
    seen.add(line);
    expect(peerNames, line).toContain(model);
    expect(cut === null || model === "linear", line).toBe(true);
    expect(seed, line).toBeLessThanOrEqual(entry!.rows < 1000 ? 20 : 5);
    expect(score, line).toBeLessThanOrEqual(1);
    if (entry!.task === "classification") expect(logLoss, line).toBeGreaterThan(0);
    else expect(logLoss, line).toBeNull();
  }
});
