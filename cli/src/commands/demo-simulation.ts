import { resolve } from "node:path";
import { explain, fold, keyFromSeed, simulate, type Table, table } from "@ratewise/core";
import { areaUnderRoc } from "@ratewise/core/evaluate";
import { type ExplainDocument, safeJson } from "@ratewise/core/explain";
import { causalLabels } from "@ratewise/core/simulate";
import type { Io } from "../io.ts";
import { commandText } from "../options/command-text.ts";
import { explainText } from "../output/explain-text.ts";
import { announced, writtenText } from "../output/folder-files.ts";
import { importanceParquet } from "../output/importance-files.ts";
import { wrap } from "../output/printable.ts";
import { progressLine } from "../output/progress.ts";
import { told } from "../output/told.ts";
import { writeResult } from "../output/write-result.ts";

export interface SimulationDemoOptions {
  readonly seed: number;
  readonly json: boolean;
  /** A folder for the report and what belongs to it. */
  readonly out: string | undefined;
}

const ROWS = 10_000;

/** Simulates the paper's regression, explains it as if it were anybody's table, then shows the truth. */
export async function demonstrateSimulation(
  { seed, json, out }: SimulationDemoOptions,
  io: Io,
): Promise<void> {
  const { X, y, truth } = simulate({ key: fold(keyFromSeed(seed), "demo"), rows: ROWS });
  const progress = progressLine(io);
  const explained = await explain(asTable(X.data, X.cols, y), {
    target: "y",
    seed,
    select: { fdr: 0.1, by: "knockoffs" },
    stability: true,
    onProgress: progress.onProgress,
    record: {
      data: "the paper's simulated regression",
      command: commandText("demo", [], seed === 1 ? {} : { seed: `${seed}` }),
      simulation: "regression",
      rows: ROWS,
    },
  });
  const { model } = explained;
  const document = told(explained.document);
  const answer = `${safeJson(document)}\n`;
  if (out !== undefined) {
    const { explainFiles } = await import("../output/explain-folder.ts");
    const files = [
      ...explainFiles(document, model, answer),
      { path: "importance.parquet", pieces: [importanceParquet(document)] },
    ];
    await writeResult(io, out, announced(files, progress.onProgress));
    progress.finish();
    io.err(writtenText(resolve(out), files));
  }
  progress.finish();
  if (json) return io.out(answer);
  const causal = causalLabels(truth);
  const width = Math.max(60, Math.min(io.columns, 120));
  const introduction = `${ROWS} simulated rows of 100 variables. 30 of them are causal. They all add to the response, and ten of them also multiply ten others. Noise is 40% of the variance, so no model can explain more than 60%.`;
  const notes = new Map(
    document.variables.flatMap(({ name }, j) => (causal[j] ? [[name, "● causal"] as const] : [])),
  );
  const parts = [
    wrap(introduction, width),
    explainText(document, io, notes).trimEnd(),
    wrap(verdict(document, causal), width),
  ];
  await io.out(`${parts.join("\n\n")}\n`);
}

function asTable(X: Float64Array, p: number, y: Float64Array): Table {
  const columns = Array.from({ length: p }, (_, j) => ({
    kind: "number" as const,
    name: `x${j + 1}`,
    values: Float64Array.from(y, (_, i) => X[i * p + j]),
  }));
  return table([...columns, { kind: "number", name: "y", values: y }]);
}

/** How well the two rankings found what the network was never told. */
function verdict({ variables }: ExplainDocument, causal: Uint8Array): string {
  const area = (score: (variable: ExplainDocument["variables"][number]) => number): string =>
    areaUnderRoc(Float64Array.from(variables, score), causal).toFixed(3);
  const first = variables.filter(({ direct }, j) => causal[j] && direct!.rank <= 30).length;
  const selected = variables.filter((row) => row.selected).length;
  const wrong = variables.filter((row, j) => row.selected && !causal[j]).length;
  return (
    `What this shows: neither the network nor the rankings know which variables are causal (●). Of the 30 causal ones, ${first} are among the first 30 by direct importance. ` +
    `The probability that a causal variable ranks above one that is not is ${area((v) => v.rate!)} by RATE and ${area((v) => v.direct!.rate)} by direct importance (0.5: guessing, 1: perfect). Of the ${selected} selected, ${wrong} are not causal; a false discovery rate of 10% holds on average over data sets, not in each.`
  );
}
