import {
  type Progress,
  RatewiseError,
  rankAgain,
  type TrainedNetworkDocument,
} from "@ratewise/core";
import { type Diagnostic, spokenTo } from "@ratewise/core/diagnostic";
import type { ExplainDocument } from "@ratewise/core/explain";
import type { OptionText } from "@ratewise/core/words";
import {
  type Command,
  type CommandResult,
  compare,
  explain,
  importanceFiles,
  inspect,
  predict,
} from "ratewise/page";
import { makeExample } from "../examples/index.ts";
import { pageText } from "../option-text.ts";
import type { Explained, Method, Methods } from "../protocol.ts";
import { OWN_GROUPS } from "../settings.ts";
import { memoryIo } from "./memory-io.ts";
import type { Outcome } from "./outcome.ts";
import { readSession } from "./session-file.ts";

/** How a request tells of its progress. */
export interface Listener {
  readonly onProgress?: (event: Progress) => void;
  readonly onLine?: (line: string) => void;
}

export type Handlers = {
  readonly [M in Method]: (
    argument: Methods[M]["argument"],
    listener?: Listener,
  ) => Promise<Methods[M]["result"]>;
};

/** The page's other half: holds the files and the last result, and runs the command's own code on them. */
export function createSession({ memory }: { readonly memory: number }): Handlers {
  let files: ReadonlyMap<string, File> = new Map();
  let outcome: Outcome | null = null;

  /** Runs a command as a terminal would; what it found, and what it printed. */
  const run = async (command: Command, words: readonly string[], listener: Listener) => {
    const found: CommandResult[] = [];
    const io = memoryIo({
      files,
      memory,
      onLine: (line) => listener.onLine?.(line),
      onResult: (result) => found.push(result),
      ...(listener.onProgress && { onProgress: listener.onProgress }),
    });
    await command.run(words, io);
    return { found: found.at(0), printed: io.printed() };
  };
  const last = (): Outcome => {
    if (!outcome) throw new RatewiseError("domain", { what: "there is no result yet" });
    return outcome;
  };

  return {
    open: async (given) => {
      files = new Map(given.map((file) => [file.name, file]));
      return null;
    },
    example: async (name) => makeExample(name),
    inspect: async (words, listener = {}) =>
      told(JSON.parse((await run(inspect, words, listener)).printed), pageText(false)),
    explain: async (words, listener = {}) => {
      outcome = null;
      const { found } = await run(explain, words, listener);
      const made = outcomeOf(found!);
      const groups = words.includes(`--groups=${OWN_GROUPS}`) && files.get(OWN_GROUPS);
      if (groups) made.beside.set(OWN_GROUPS, await groups.text());
      outcome = made;
      return shown(outcome);
    },
    compare: async (words, listener = {}) => {
      const { found } = await run(compare, words, listener);
      if (found?.kind !== "compare")
        throw new RatewiseError("domain", { at: "compare", what: "found nothing" });
      outcome = { ...last(), comparison: found.document };
      return shown(outcome);
    },
    predict: async (words, listener = {}) => (await run(predict, words, listener)).printed,
    rankAgain: async (options) => {
      const { ranking } = last();
      if (!ranking)
        throw new RatewiseError("domain", {
          what: "this result does not hold its effect sizes",
          advice: "run it here",
        });
      return rankAgain(ranking, options);
    },
    figure: async ({ name, ...options }) => (await drawing()).drawFigure(last(), name, options),
    file: async (name) => (await drawing()).savedFile(last(), name),
    reopen: async (file) => {
      outcome = readSession(new Uint8Array(await file.arrayBuffer()), file.name);
      return shown(outcome);
    },
  };
}

function outcomeOf(found: CommandResult): Outcome & { readonly beside: Map<string, string> } {
  const empty = {
    comparison: null,
    model: null,
    ranking: null,
    places: [],
    beside: new Map<string, string>(),
  };
  if (found.kind === "network")
    return { ...empty, document: found.document, ranking: found.ranking };
  if (found.kind !== "explain")
    throw new RatewiseError("domain", { at: "explain", what: "found nothing" });
  const { document, model, ranking, data } = found;
  const places = (data.variants ?? []).map(
    ({ chromosome, position }, j) =>
      [data.table.columns[j].name, { chromosome, position }] as const,
  );
  const written = importanceFiles(document, data as Parameters<typeof importanceFiles>[1]);
  // The table in Parquet can be made at any time; what is text needs the data.
  const texts = written.filter(({ path }) => !path.endsWith(".parquet"));
  const beside = new Map(texts.map(({ path, pieces }) => [path, [...pieces].join("")]));
  return { document, comparison: null, model, ranking, places, beside };
}

/** Figures, pages and files: a part of its own, for most of it is the chart library. */
function drawing(): Promise<typeof import("./shown-outcome.ts")> {
  return import("./shown-outcome.ts");
}

/** A result whose warnings speak of the page's own controls. */
function told<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  result: Result,
  optionText: OptionText,
): Result {
  return { ...result, diagnostics: spokenTo(result.diagnostics, optionText) };
}

async function shown(outcome: Outcome): Promise<Explained> {
  const { explainAnswers, figureNames, networkAnswers, predictedBy, savedNames } = await drawing();
  const { ranking } = outcome;
  const trained = outcome.document.model.kind === "onnx";
  const optionText = pageText(trained);
  const document = told(outcome.document, optionText);
  return {
    document,
    comparison: outcome.comparison && told(outcome.comparison, optionText),
    answers: trained
      ? networkAnswers(document as TrainedNetworkDocument, optionText)
      : explainAnswers(document as ExplainDocument, optionText),
    figures: figureNames(outcome),
    files: savedNames(outcome),
    predicted: predictedBy(document),
    rankable: ranking !== null,
  };
}
