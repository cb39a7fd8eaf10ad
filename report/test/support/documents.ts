import {
  type Column,
  compare,
  explain,
  explainHidden,
  fold,
  keyFromSeed,
  matrix,
  normals,
  type TrainedNetworkDocument,
  table,
} from "@ratewise/core";
import {
  type CompareDocument,
  compareExplained,
  type ExplainDocument,
} from "@ratewise/core/explain";
import { multiplyTranspose } from "@ratewise/core/linalg";
import { refitLastLayer } from "@ratewise/core/posterior";

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

/**
 * Ten columns of which `held` follows `cause` and works against it, `coin` is 1 or 2, and `twin` is nearly `cause`;
 * selected at a rate that ten variables cannot reach.
 */
export async function contrary(): Promise<ExplainDocument> {
  const cause = draw();
  const held = cause.map((value) => value + 0.5 * next());
  const twin = cause.map((value) => value + 0.02 * next());
  const coin = cause.map((_, i) => 1 + (i % 2));
  const response = cause.map((value, i) => 4 * value - 2 * held[i] - 1.5 * coin[i] + 0.5 * next());
  const source = table([
    ...Object.entries({ cause, held, twin, coin }).map(
      ([name, values]): Column => ({ kind: "number", name, values }),
    ),
    ...Array.from(
      { length: 6 },
      (_, j): Column => ({ kind: "number", name: `noise${j}`, values: draw() }),
    ),
    { kind: "number", name: "y", values: response },
  ]);
  const select = { fdr: 0.1, by: "knockoffs" } as const;
  return (await explain(source, { target: "y", hidden: [8], select, record })).document;
}

/** A model that has nothing to learn from, and has learnt nothing: chance favours one now and then. */
export async function noise(): Promise<ExplainDocument> {
  for (;;) {
    const source = table([...columns.slice(3), { kind: "number", name: "y", values: draw() }]);
    const { document } = await explain(source, { target: "y", record });
    if (document.model.form === "constant") return document;
  }
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
    methods: ["rate", "gradient", "correlation"],
    repeats: 2,
    record,
  });
  return document;
}

/** A network from elsewhere: here a straight line, whose hidden layer is its input. */
export async function trained(
  asked: "everything" | "no response" | "no derivatives",
): Promise<TrainedNetworkDocument> {
  const X = matrix(n, 3, Float64Array.from({ length: 3 * n }, next));
  const network = { weights: matrix(1, 3, Float64Array.of(2, 1, 0)), bias: Float64Array.of(0) };
  const functions = multiplyTranspose(X, network.weights);
  const values = functions.data.map((f) => f + 0.5 * next());
  const response = asked === "no response" ? null : { name: hostileNames[3], values };
  const refit = refitLastLayer(X, response?.values ?? null, {
    link: "identity",
    network,
    ...(asked === "no response" && { noiseVariance: 1 }),
  });
  return explainHidden({
    X,
    hidden: X,
    functions,
    refit,
    names: hostileNames.slice(0, 3),
    classes: null,
    response,
    groups: asked === "everything" ? [{ name: "<b>both</b>", members: [0, 1] }] : [],
    derivatives:
      asked === "no derivatives"
        ? null
        : { direct: { form: "mean-squared", scores: Float64Array.of(4, 1, 0, 5) } },
    seed: 1,
    about: {
      producer: "<b>tests</b>",
      opset: 17,
      link: "identity",
      hidden: "h",
      outputs: 1,
      by: "us",
    },
    record: { ...record, model: "<net>.onnx" },
  });
}

/** The regression's table explained, and the same methods as in `comparison` on its network. */
export async function compared(): Promise<{ document: ExplainDocument; compare: CompareDocument }> {
  const source = table([...columns, { kind: "number", name: "y", values: y }]);
  const options = { target: "y", record } as const;
  const explained = await explain(source, options);
  const { document } = await compareExplained(explained, {
    methods: ["rate", "gradient", "correlation"],
    repeats: 2,
  });
  return { document: explained.document, compare: document };
}
