import { expect, test } from "vitest";
import { originTable, tablesReport } from "../../src/tables/report.ts";
import { madeEntry, madeOurs, madePeers } from "./made-results.ts";

const manifest = [
  madeEntry("cars", { rows: 1728 }),
  madeEntry("iris", { task: "classification", classes: 3 }),
  madeEntry("swiss", { group: "further" }),
];
const ours = [
  madeOurs("cars", 1, 0.595),
  madeOurs("cars", 1, 0.55, { members: 5 }),
  madeOurs("iris", 1, 0.9, { logLoss: 0.25, taskGuessed: false }),
  madeOurs("swiss", 1, 0.1),
  madeOurs("cars", 1, 0.481, { cut: 30 }),
  madeOurs("cars", 1, 0.479, { cut: 60 }),
];
const classLosses = [0.3, 0.2, 0.1];
const peers = [
  ...madePeers("cars", 1, [0.5, 0.6, 0.4]),
  ...madePeers("iris", 1, [0.8, 0.7, 0.9]).map((row, k) => ({ ...row, logLoss: classLosses[k] })),
  ...madePeers("swiss", 1, [0.45, 0, 0]),
  ...[30, 60].flatMap((cut) => madePeers("cars", 1, [0.5], { cut })),
];
const { findings, tables } = tablesReport(manifest, ours, peers);

test("findings count tables, against what is asked of so many networks", () => {
  const found = findings.map(({ what, ours: here, bar }) => [what, here, bar?.value ?? null]);
  expect(found).toEqual([
    ["one network: within 0.01 of the best or above, of 2 named tables", 2, 24],
    ["one network: surely more than 0.03 below, of 2 named tables", 0, 0],
    ["one network: more than 0.03 below on average, of 2 named tables", 0, null],
    ["one network: within 0.01 of the best or above, of 1 further tables", 0, null],
    ["one network: surely more than 0.03 below, of 1 further tables", 1, null],
    ["one network: cut rows, at least ridge or logistic − 0.02, of 2 cells", 1, 2],
    ["five networks: within 0.01 of the best or above, of 1 named tables", 0, 25],
    ["five networks: surely more than 0.03 below, of 1 named tables", 1, 0],
    ["five networks: more than 0.03 below on average, of 1 named tables", 1, null],
    ["targets: read as numbers or classes as they should be, of 3", 2, null],
  ]);
});

test("tables show every model, differences from the best and nothing that was not measured", () => {
  const [namedTables, further, cut, classes] = tables.map(({ rows }) => rows);
  expect(namedTables).toEqual([
    [
      ...["cars", "1,728 × 4", 1, "0.595", "0.550", "0.500", "0.600", "0.400", "boosting"],
      ...["−0.005", "−0.050", "1.00"],
    ],
    [
      ...["iris", "100 × 4, 3 classes", 1, "0.900", "", "0.800", "0.700", "0.900", "MLP"],
      ...["0.000", "", "1.00"],
    ],
  ]);
  expect(further.map(([name]) => name)).toEqual(["swiss"]);
  expect(cut).toEqual([
    ["cars", 30, 1, "0.481", "", "0.500", "−0.019", ""],
    ["cars", 60, 1, "0.479", "", "0.500", "−0.021", ""],
  ]);
  expect(classes).toEqual([["iris", "0.250", "", "0.100"]]);
});

test("where tables come from is told to the byte", () => {
  expect(originTable([madeEntry("cars")]).rows).toEqual([
    ["cars", "made 1", "`y`", "regression", "`sum of cars`"],
  ]);
});
