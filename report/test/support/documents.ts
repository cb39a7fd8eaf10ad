import {
  type Column,
  type CompareDocument,
  compare,
  type ExplainDocument,
  explain,
  fold,
  keyFromSeed,
  normals,
  table,
} from "@ratewise/core";

/** Names as somebody might send them: markup, a formula, terminal commands, the end of a script. */
export const hostileNames = [
  "<script>alert(1)</script>",
  "=cmd()|'/c calc'!A1",
  "\u001b[31mred\u0007",
  '</script><img src=x onerror="fail()">',
  "a & b \u202eevil",
] as const;

const n = 500;
const next = normals(fold(keyFromSeed(1), "report"));
const draw = (): Float64Array => Float64Array.from({ length: n }, next);

/** y = 3·first + a level's effect + noise; `copy` follows the first column; the other names are hostile. */
const signal = draw();
const columns: Column[] = [
  { kind: "number", name: hostileNames[0], values: signal },
  { kind: "number", name: "copy", values: signal.map((value) => value + 0.4 * next()) },
  {
    kind: "category",
    name: hostileNames[1],
    levels: ["plain", hostileNames[3], "third"],
    codes: Int32Array.from(signal, (_, i) => i % 3),
  },
  { kind: "number", name: hostileNames[2], values: draw() },
  { kind: "number", name: hostileNames[4], values: draw() },
];
const y = signal.map((value, i) => 3 * value + (i % 3 === 1 ? 2 : 0) + 0.5 * next());
const record = {
  data: `${hostileNames[3]}.csv`,
  command: "ratewise explain '</script>.csv' --target y",
};

/** Everything that can be asked of a regression. */
export async function regression(): Promise<ExplainDocument> {
  const source = table([...columns, { kind: "number", name: hostileNames[3], values: y }]);
  const { document } = await explain(source, {
    target: hostileNames[3],
    select: { fdr: 0.5, by: "permutation", permutations: 99 },
    stability: true,
    groups: (names) => [
      { name: "<b>signal</b>", members: [names.get(hostileNames[0])!, names.get("copy")!] },
      { name: "rest", members: [names.get(hostileNames[2])!] },
    ],
    record,
  });
  return document;
}

/** Classes cut from the same response. */
export async function classification(labels: readonly string[]): Promise<ExplainDocument> {
  const codes = Int32Array.from(y, (value) =>
    Math.min(labels.length - 1, Math.max(0, Math.floor(value / 2 + labels.length / 2))),
  );
  const source = table([...columns, { kind: "category", name: "class", levels: labels, codes }]);
  return (await explain(source, { target: "class", record })).document;
}

/** A model that has nothing to learn from. */
export async function noise(): Promise<ExplainDocument> {
  const source = table([...columns.slice(3), { kind: "number", name: "y", values: draw() }]);
  return (await explain(source, { target: "y", record })).document;
}

export async function process(): Promise<ExplainDocument> {
  const source = table([...columns, { kind: "number", name: "y", values: y }]);
  return (await explain(source, { target: "y", model: "gp", subsample: 100, record })).document;
}

/** Three methods on the regression's table. */
export async function comparison(): Promise<CompareDocument> {
  const source = table([...columns, { kind: "number", name: "y", values: y }]);
  const { document } = await compare(source, {
    target: "y",
    methods: ["rate", "gradient-rate", "correlation"],
    repeats: 2,
    record,
  });
  return document;
}
