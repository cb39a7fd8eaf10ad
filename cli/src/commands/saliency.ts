import { resolve } from "node:path";
import { type Matrix, type RunOptions, version } from "@ratewise/core";
import { writeNpy } from "@ratewise/core/data";
import { attributeColumns } from "@ratewise/core/explain";
import { meanAbsolute } from "@ratewise/core/importance";
import { contentHash } from "@ratewise/core/parallel";
import { csvCellOfText } from "@ratewise/files";
import type { Command } from "../command.ts";
import { classIndex, readNetworks, readRows } from "../input/saliency-input.ts";
import type { Io } from "../io.ts";
import { isNetworkFile } from "../options/cases.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { engineOption, parseCommandLine, usageError } from "../options/options.ts";
import type { Values } from "../options/table.ts";
import { progressLine } from "../output/progress.ts";
import { logarithmNote, saliencyNotes } from "../output/saliency-notes.ts";
import { type SaliencyDocument, saliencyText } from "../output/saliency-text.ts";
import { told } from "../output/told.ts";
import {
  type Attributed,
  type AttributionPlan,
  attributeNetwork,
  methodOf,
} from "./saliency-network.ts";

const help = `usage: ratewise saliency <X.npy|data.csv> --model <file> --method <method> [options]

Shows, for every row, how much each value contributed to the network's output. The answer is a matrix of
rows × columns, and the mean of its absolute values over the rows. For a model that "ratewise explain --out"
wrote, values are in the table's own units, and a category has one column per level. A trained network,
net.onnx, takes the columns in their order, as numbers.

options:
${optionsHelp("saliency")}
examples:
  ratewise saliency new.csv --model result/model.ratewise --method gradient
  ratewise saliency X.npy --model result/model.ratewise --method integrated-gradients --out a.npy
  ratewise saliency X.npy --model net.onnx --method gradient-x-input --class 3
`;

export const saliency: Command = {
  name: "saliency",
  summary: "attribute a network's output to the values of each row",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("saliency", argv);
    const plan = checkValues(positionals, values);
    if (values.out !== undefined) await io.checkTarget(values.out);
    const engine = await engineOption("saliency", values.engine);
    const progress = progressLine(io);
    let made: Attributed;
    try {
      made = await (isNetworkFile(plan.model) ? attributeNetwork : attributeOwn)(
        plan,
        values,
        progress.onProgress,
        io,
      );
    } finally {
      progress.finish();
    }
    const { S, X, columns } = made;
    const notes = [
      ...logarithmNote(made.logarithm),
      ...saliencyNotes(plan.method, plan.baseline, X, columns),
    ];
    const document = told(describe(S, columns, plan, { ...made, engine, diagnostics: notes }));
    const { diagnostics } = document;
    if (values.out !== undefined) {
      await io.writeFile(values.out, contents(values.out, S, columns));
      io.err(`ratewise: wrote ${values.out}`);
      if (!values.json) for (const { message } of diagnostics) io.err(`ratewise: note: ${message}`);
    }
    if (values.json) await io.out(`${JSON.stringify(document)}\n`);
    else if (values.out === undefined) await io.out(saliencyText(document, made.numbers, io));
  },
};

/** A model of ours. */
async function attributeOwn(
  plan: SaliencyPlan,
  values: Values<"saliency">,
  onProgress: NonNullable<RunOptions["onProgress"]>,
  io: Io,
): Promise<Attributed> {
  const model = await readNetworks(plan.model, io);
  const chosen = classIndex(model, values.class);
  const X = await readRows(plan.data, model, io);
  const S = await attributeColumns(model, X, {
    ...methodOf(plan),
    ...(chosen !== undefined && { class: chosen }),
    onProgress,
  });
  return {
    S,
    X,
    columns: model.columns,
    class: chosen === undefined ? null : (model.classes?.[chosen] ?? `${chosen}`),
    numbers: model.networks[0].architecture.link === "identity",
    logarithm: model.logarithm,
    dataHash: contentHash(X),
  };
}

interface SaliencyPlan extends AttributionPlan {
  readonly seed: number;
}

/** All that can be known to be wrong before a file is opened. */
function checkValues(positionals: readonly string[], values: Values<"saliency">): SaliencyPlan {
  if (positionals.length !== 1)
    throw usageError(
      "saliency",
      `needs one array or table, got ${positionals.length === 0 ? "none" : positionals.length}`,
    );
  const { model, out } = values;
  if (out !== undefined && [positionals[0], model].some((read) => resolve(read) === resolve(out)))
    throw usageError("saliency", `--out would overwrite the input, "${out}"`);
  const { method, of, baseline, steps, epsilon, seed } = values;
  return { data: positionals[0], model, method, of, baseline, steps, epsilon, seed };
}

function describe(
  S: Matrix,
  columns: readonly string[],
  { method, of, baseline, steps = 512, epsilon = 1e-4, seed }: SaliencyPlan,
  found: Pick<SaliencyDocument, "class" | "engine" | "dataHash" | "diagnostics">,
): SaliencyDocument {
  const scores = meanAbsolute(S);
  const rank = new Uint32Array(columns.length);
  [...scores.keys()]
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .forEach((j, place) => {
      rank[j] = place + 1;
    });
  const integrated = method === "integrated-gradients";
  return {
    kind: "saliency",
    method,
    of,
    class: found.class,
    rows: S.rows,
    variables: columns.map((name, j) => ({ name, rank: rank[j], meanAbsolute: scores[j] })),
    diagnostics: found.diagnostics,
    seed,
    engine: found.engine,
    version,
    options: {
      steps: integrated ? steps : null,
      baseline: integrated ? baseline : null,
      epsilon: method === "lrp" ? epsilon : null,
    },
    dataHash: found.dataHash,
  };
}

function* contents(
  path: string,
  { data, rows, cols }: Matrix,
  columns: readonly string[],
): Generator<string | Uint8Array> {
  if (/\.npy$/i.test(path)) {
    yield writeNpy({ data, shape: [rows, cols] });
    return;
  }
  yield `${columns.map(csvCellOfText).join(",")}\n`;
  for (let i = 0; i < rows; i++) yield `${data.subarray(i * cols, (i + 1) * cols).join(",")}\n`;
}
