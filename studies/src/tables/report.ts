import { atLeast, atMost, type Finding, finding, type StudyTable } from "../study/study.ts";
import type { CorpusEntry } from "./corpus.ts";
import type { TableResult } from "./measure.ts";
import {
  type Beside,
  besidePeers,
  type CutRow,
  cutRows,
  isBelow,
  isNear,
  isSurelyBelow,
  type PeerName,
  type PeerResult,
} from "./summary.ts";

export interface TablesReport {
  readonly findings: readonly Finding[];
  readonly tables: readonly StudyTable[];
  readonly figures: readonly [];
}

/** Networks, how they are called, and how many of the named tables have to be within 0.01 of the best. */
const SETTINGS = [
  { members: 1, who: "one network", asked: 24 },
  { members: 5, who: "five networks", asked: 25 },
] as const;

const PEERS: Readonly<Record<PeerName, string>> = {
  linear: "ridge or logistic",
  boosting: "boosting",
  mlp: "MLP",
};

/** All that the page of the study shows, from the journals. */
export function tablesReport(
  manifest: readonly CorpusEntry[],
  ours: readonly TableResult[],
  peers: readonly PeerResult[],
): TablesReport {
  const settings = SETTINGS.map((setting) => ({
    ...setting,
    beside: besidePeers(manifest, ours, peers, setting.members),
    cut: cutRows(manifest, ours, peers, setting.members),
  }));
  const [one, five] = settings.map(({ beside }) => beside);
  const of = (group: CorpusEntry["group"]): CorpusEntry[] =>
    manifest.filter((entry) => entry.group === group);
  return {
    findings: [...settings.flatMap((setting) => findingsOf(setting)), ...guessedFinding(one)],
    tables: [
      scoresTable("The named tables", of("named"), one, five),
      scoresTable("Further tables", of("further"), one, five),
      cutTable(settings.flatMap(({ cut }) => cut)),
      classesTable(one, five),
    ],
    figures: [],
  };
}

function findingsOf({
  who,
  asked,
  beside,
  cut,
}: (typeof SETTINGS)[number] & { beside: Beside[]; cut: CutRow[] }): Finding[] {
  const named = beside.filter(({ entry }) => entry.group === "named");
  const further = beside.filter(({ entry }) => entry.group === "further");
  const count = (rows: readonly Beside[], is: (row: Beside) => boolean): number =>
    rows.filter(is).length;
  const close = cut.filter((row) => row.ours >= row.linear - 0.02).length;
  return [
    ...(named.length > 0
      ? [
          finding(
            `${who}: within 0.01 of the best or above, of ${named.length} named tables`,
            null,
            count(named, isNear),
            atLeast(asked),
          ),
          finding(
            `${who}: surely more than 0.03 below, of ${named.length} named tables`,
            null,
            count(named, isSurelyBelow),
            atMost(0),
          ),
          finding(
            `${who}: more than 0.03 below on average, of ${named.length} named tables`,
            null,
            count(named, isBelow),
          ),
        ]
      : []),
    ...(further.length > 0
      ? [
          finding(
            `${who}: within 0.01 of the best or above, of ${further.length} further tables`,
            null,
            count(further, isNear),
          ),
          finding(
            `${who}: surely more than 0.03 below, of ${further.length} further tables`,
            null,
            count(further, isSurelyBelow),
          ),
        ]
      : []),
    ...(cut.length > 0
      ? [
          finding(
            `${who}: cut rows, at least ridge or logistic − 0.02, of ${cut.length} cells`,
            null,
            close,
            atLeast(cut.length),
          ),
        ]
      : []),
  ];
}

/** Targets that ratewise reads as numbers or classes without being told which. */
function guessedFinding(rows: readonly Beside[]): Finding[] {
  if (rows.length === 0) return [];
  const guessed = rows.filter(({ taskGuessed }) => taskGuessed).length;
  const what = `targets: read as numbers or classes as they should be, of ${rows.length}`;
  return [finding(what, null, guessed)];
}

const fixed = (value: number | undefined): string =>
  value === undefined ? "" : value.toFixed(3).replace("-", "−");

const differenceText = (row: Beside | undefined): string =>
  row === undefined
    ? ""
    : `${fixed(row.mean)}${Number.isNaN(row.half) ? "" : ` ± ${fixed(row.half)}`}`;

function scoresTable(
  title: string,
  entries: readonly CorpusEntry[],
  one: readonly Beside[],
  five: readonly Beside[],
): StudyTable {
  const rows = entries.flatMap((entry) => {
    const [single, ensemble] = [one, five].map((rows) =>
      rows.find((row) => row.entry.name === entry.name),
    );
    const shown = single ?? ensemble;
    if (shown === undefined) return [];
    const { peers, best, splits } = shown;
    return [
      [
        ...[entry.name, sizeText(entry), splits, fixed(single?.ours), fixed(ensemble?.ours)],
        ...[fixed(peers.linear), fixed(peers.boosting), fixed(peers.mlp), PEERS[best]],
        ...[differenceText(single), differenceText(ensemble)],
        ...[single ? single.seconds.toFixed(2) : ""],
      ],
    ];
  });
  return {
    title,
    columns: [
      ...["table", "rows × predictors", "splits", "one", "five", "ridge or logistic", "boosting"],
      ...["MLP", "best of these", "one − best", "five − best", "seconds of one"],
    ],
    rows,
  };
}

const sizeText = ({ rows, predictors, classes }: CorpusEntry): string =>
  `${rows.toLocaleString("en")} × ${predictors}${classes === null ? "" : `, ${classes} classes`}`;

function cutTable(rows: readonly CutRow[]): StudyTable {
  const singles = rows.filter(({ members }) => members === 1);
  const shown = singles.length > 0 ? singles : rows;
  return {
    title: "Rows cut to 30, 60 and 120",
    columns: [
      "table",
      "rows",
      "splits",
      "one",
      "five",
      "ridge or logistic",
      "one − that",
      "five − that",
    ],
    rows: shown.map(({ table, cut, splits, linear }) => {
      const [one, five] = [1, 5].map((members) =>
        rows.find((row) => row.table === table && row.cut === cut && row.members === members),
      );
      const less = (row: CutRow | undefined): string => fixed(row && row.ours - row.linear);
      return [
        ...[table, cut, splits, fixed(one?.ours), fixed(five?.ours), fixed(linear)],
        ...[less(one), less(five)],
      ];
    }),
  };
}

function classesTable(one: readonly Beside[], five: readonly Beside[]): StudyTable {
  return {
    title: "Log loss, for classes",
    columns: ["table", "one", "five", "the best by accuracy"],
    rows: one
      .filter(({ logLoss }) => logLoss !== null)
      .map(({ entry, logLoss }) => [
        ...[entry.name, fixed(logLoss!.ours)],
        fixed(five.find((row) => row.entry.name === entry.name)?.logLoss?.ours),
        fixed(logLoss!.best),
      ]),
  };
}

/**
 * For the page alone: which tables these were, to the byte.
 *
 * @internal
 */
export function originTable(manifest: readonly CorpusEntry[]): StudyTable {
  return {
    title: "Where the tables come from",
    columns: ["table", "package", "target", "task", "SHA-256"],
    rows: manifest.map(({ name, package: origin, version, target, task, sha256 }) => [
      ...[name, `${origin} ${version}`, `\`${target}\``, task, `\`${sha256}\``],
    ]),
  };
}
