import type { CorpusEntry } from "../../src/tables/corpus.ts";
import type { TableResult } from "../../src/tables/measure.ts";
import { type PeerResult, peerNames } from "../../src/tables/summary.ts";

/** A table of numbers unless told otherwise; its checksum follows from its name. */
export const madeEntry = (name: string, parts: Partial<CorpusEntry> = {}): CorpusEntry => ({
  ...{ name, group: "named", file: `${name}.csv`, target: "y", task: "regression", rows: 100 },
  ...{ predictors: 4, classes: null, incompleteRows: 0, package: "made", version: "1" },
  ...{ sha256: `sum of ${name}`, ...parts },
});

export const madeOurs = (
  table: string,
  seed: number,
  score: number,
  parts: Partial<TableResult> = {},
): TableResult => ({
  ...{ table, sha256: `sum of ${table}`, cut: null, seed, members: 1, score, logLoss: null },
  ...{ seconds: seed, layers: [32], taskGuessed: true, version: "1", ...parts },
});

/** Lines of the three other models, in the order of `peerNames`, for one split. */
export const madePeers = (
  table: string,
  seed: number,
  scores: readonly number[],
  parts: Partial<PeerResult> = {},
): PeerResult[] =>
  scores.map((score, k) => ({
    ...{ table, sha256: `sum of ${table}`, cut: null, seed, model: peerNames[k], score },
    ...{ logLoss: null, seconds: 1, version: "1", ...parts },
  }));
