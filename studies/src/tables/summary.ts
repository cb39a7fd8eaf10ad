import { groupBy } from "../group-by.ts";
import { mean } from "../mean-with-error.ts";
import type { CorpusEntry } from "./corpus.ts";
import { type CorrectedInterval, correctedInterval } from "./corrected-interval.ts";
import type { TableResult } from "./measure.ts";

export const peerNames = ["linear", "boosting", "mlp"] as const;
export type PeerName = (typeof peerNames)[number];

/** A line of `studies/tables/peers.py`. */
export interface PeerResult {
  readonly table: string;
  readonly sha256: string;
  readonly cut: number | null;
  readonly seed: number;
  readonly model: PeerName;
  readonly score: number;
  readonly logLoss: number | null;
  readonly seconds: number;
  readonly version: string;
}

/** From here on a table is large enough for five splits. */
const SMALL = 1000;
const TEST_SHARE = 0.3;

/** Our model beside the best of the others on the splits that all have: differences are ours − theirs. */
export interface Beside extends CorrectedInterval {
  readonly entry: CorpusEntry;
  readonly members: number;
  readonly splits: number;
  readonly ours: number;
  readonly peers: Readonly<Record<PeerName, number>>;
  readonly best: PeerName;
  readonly seconds: number;
  /** Mean log losses, ours and that of the best; null for numbers. */
  readonly logLoss: { readonly ours: number; readonly best: number } | null;
  readonly taskGuessed: boolean;
}

/** Every table that has splits of all models, in the order of the manifest. */
export function besidePeers(
  manifest: readonly CorpusEntry[],
  ours: readonly TableResult[],
  peers: readonly PeerResult[],
  members: number,
): Beside[] {
  return manifest.flatMap((entry) => {
    const of = <Row extends PeerResult | TableResult>(rows: readonly Row[]): Row[] =>
      rows.filter(
        (row) => row.table === entry.name && row.sha256 === entry.sha256 && row.cut === null,
      );
    const own = bySeed(of(ours).filter((row) => row.members === members));
    const others = peerNames.map((name) => bySeed(of(peers).filter(({ model }) => model === name)));
    const seeds = [...own.keys()]
      .filter((seed) => others.every((rows) => rows.has(seed)))
      .sort((a, b) => a - b);
    if (seeds.length === 0) return [];
    const means = others.map((rows) => mean(seeds.map((seed) => rows.get(seed)!.score)));
    const at = means.indexOf(Math.max(...means));
    const row = (seed: number): TableResult => own.get(seed)!;
    const best = (seed: number): PeerResult => others[at].get(seed)!;
    const test = Math.round(entry.rows * TEST_SHARE);
    const [linear, boosting, mlp] = means;
    return [
      {
        ...correctedInterval(
          seeds.map((seed) => row(seed).score - best(seed).score),
          { train: entry.rows - test, test },
        ),
        entry,
        members,
        splits: seeds.length,
        ours: mean(seeds.map((seed) => row(seed).score)),
        peers: { linear, boosting, mlp },
        best: peerNames[at],
        seconds: mean(seeds.map((seed) => row(seed).seconds)),
        logLoss:
          entry.task === "classification"
            ? {
                ours: mean(seeds.map((seed) => row(seed).logLoss!)),
                best: mean(seeds.map((seed) => best(seed).logLoss!)),
              }
            : null,
        taskGuessed: seeds.every((seed) => row(seed).taskGuessed),
      },
    ];
  });
}

const bySeed = <Row extends { readonly seed: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.seed, row]));

/** Within 0.01 of the best, or above. */
export const isNear = ({ mean: difference }: Beside): boolean => difference >= -0.01;

/** More than 0.03 below the best on average. */
export const isBelow = ({ mean: difference }: Beside): boolean => difference < -0.03;

/** The same, and not by chance: of a table with 20 splits, the whole interval lies there. */
export const isSurelyBelow = (row: Beside): boolean =>
  row.entry.rows < SMALL && row.splits > 1 ? row.mean + row.half < -0.03 : isBelow(row);

/** Training rows cut to a few: our mean score beside that of ridge or logistic regression. */
export interface CutRow {
  readonly table: string;
  readonly cut: number;
  readonly members: number;
  readonly splits: number;
  readonly ours: number;
  readonly linear: number;
}

export function cutRows(
  manifest: readonly CorpusEntry[],
  ours: readonly TableResult[],
  peers: readonly PeerResult[],
  members: number,
): CutRow[] {
  const sums = new Map(manifest.map(({ name, sha256 }) => [name, sha256]));
  const own = ours.filter(
    (row) => row.cut !== null && row.members === members && sums.get(row.table) === row.sha256,
  );
  return [...groupBy(own, ({ table, cut }) => JSON.stringify([table, cut])).values()].flatMap(
    (rows) => {
      const [{ table, sha256, cut }] = rows;
      const linear = bySeed(
        peers.filter(
          (row) =>
            row.table === table &&
            row.sha256 === sha256 &&
            row.cut === cut &&
            row.model === "linear",
        ),
      );
      const both = rows.filter(({ seed }) => linear.has(seed));
      if (both.length === 0) return [];
      return [
        {
          table,
          cut: cut!,
          members,
          splits: both.length,
          ours: mean(both.map(({ score }) => score)),
          linear: mean(both.map(({ seed }) => linear.get(seed)!.score)),
        },
      ];
    },
  );
}
