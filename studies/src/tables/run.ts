/**
 * Measures our models on the tables that `studies/tables/fetch.py` wrote, one line a split is kept; prints them beside the others:
 *
 *     node studies/dist/tables/run.js --corpus folder --journal studies/results/tables.jsonl
 *
 * `--seeds 3 --members 1 --groups named` is a short version; `--tables a,b` chooses tables, `--cut only` or `--cut none` rows.
 */
import { parseArgs } from "node:util";
import type { Table } from "@ratewise/core";
import { openJournal, readJournal } from "../journal.ts";
import { numbersPart } from "../study/page.ts";
import {
  type CorpusEntry,
  type CorpusSplit,
  readCorpusTable,
  readManifest,
  readSplits,
} from "./corpus.ts";
import { measureSplit, type TableRequest, type TableResult } from "./measure.ts";
import { tablesReport } from "./report.ts";
import type { PeerResult } from "./summary.ts";

const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    journal: { type: "string", default: "tables.jsonl" },
    peers: { type: "string", default: "studies/results/tables-peers.jsonl" },
    tables: { type: "string" },
    groups: { type: "string", default: "named,further" },
    members: { type: "string", default: "1,5" },
    seeds: { type: "string", default: "20" },
    cut: { type: "string", default: "all" },
  },
});
if (values.corpus === undefined)
  throw new Error("tables: needs --corpus, the folder that studies/tables/fetch.py wrote");
const folder = values.corpus;
const manifest = readManifest(folder);
const wanted = values.tables?.split(",") ?? manifest.map(({ name }) => name);
const groups = values.groups.split(",");
const entries = manifest.filter(
  ({ name, group }) => wanted.includes(name) && groups.includes(group),
);

interface Job {
  readonly entry: CorpusEntry;
  readonly split: CorpusSplit;
  readonly request: TableRequest;
}

const asked = ({ cut, seed }: CorpusSplit): boolean =>
  seed <= Number(values.seeds) &&
  (values.cut === "all" || (values.cut === "only") === (cut !== null));

const jobsOf = (members: number): Job[] =>
  entries.flatMap((entry) =>
    readSplits(folder, entry)
      .filter(asked)
      .map((split) => {
        const { name: table, sha256 } = entry;
        const { cut, seed } = split;
        return { entry, split, request: { table, sha256, cut, seed, members } };
      }),
  );

const identity = ({ table, sha256, cut, seed, members }: TableRequest): string =>
  JSON.stringify([table, sha256, cut, seed, members]);

/** Cut rows and three seeds of every table first. */
const late = ({ split: { cut, seed } }: Job): number => (cut === null && seed > 3 ? 1 : 0);

const journal = openJournal<TableResult>(values.journal);
const done = new Set(journal.rows.map(identity));
const jobs = values.members
  .split(",")
  .flatMap((members) => jobsOf(Number(members)).toSorted((a, b) => late(a) - late(b)))
  .filter(({ request }) => !done.has(identity(request)));
const failed: string[] = [];
const tables = new Map<string, Table>();
for (const [k, { entry, split, request }] of jobs.entries()) {
  const table = tables.get(entry.name) ?? (await readCorpusTable(folder, entry));
  tables.set(entry.name, table);
  try {
    journal.add(await measureSplit(table, entry, split, request));
  } catch (error) {
    failed.push(`${identity(request)}: ${error instanceof Error ? error.message : error}`);
  }
  if ((k + 1) % 20 === 0 || k + 1 === jobs.length)
    process.stderr.write(`${k + 1}/${jobs.length} ${identity(request)}\n`);
}
const peers = readJournal<PeerResult>(values.peers);
process.stdout.write(`${numbersPart(tablesReport(manifest, journal.rows, peers))}\n`);
if (failed.length > 0) {
  process.stderr.write(`failed:\n${failed.join("\n")}\n`);
  process.exitCode = 1;
}
