import { version } from "@ratewise/core";
import type { Command } from "../command.ts";
import { filesOf, openNetworkFile } from "../input/network-file.ts";
import type { Io } from "../io.ts";
import { isNetworkFile } from "../options/cases.ts";
import { optionsHelp } from "../options/help-lines.ts";
import { parseCommandLine, usageError } from "../options/options.ts";
import { reasonText } from "../output/error-message.ts";
import { type ModelDocument, modelText } from "../output/network-text.ts";

const help = `usage: ratewise model <net.onnx> [options]

Shows what a trained network contains: its inputs and outputs, its operators, how it ends, its last linear
layer, and the tensor that feeds it.

options:
${optionsHelp("model")}
examples:
  ratewise model net.onnx
  ratewise model net.onnx --json
`;

export const model: Command = {
  name: "model",
  summary: "show what a trained network (ONNX) contains",
  help,
  run: async (argv, io) => {
    const { positionals, values } = parseCommandLine("model", argv);
    const [path] = positionals;
    if (positionals.length !== 1 || !isNetworkFile(path))
      throw usageError(
        "model",
        `needs one network, a file that ends in .onnx, got ${positionals.length === 1 ? `"${path}"` : positionals.length || "none"}`,
      );
    const document = await describe(path, io, values);
    await io.out(values.json ? `${JSON.stringify(document)}\n` : modelText(document, io));
  },
};

async function describe(
  path: string,
  io: Io,
  { hidden, output }: { readonly hidden?: string; readonly output?: string },
): Promise<ModelDocument> {
  const { elementName, openModel } = await import("@ratewise/onnx");
  const { model: graph } = await openModel(await io.readFile(path), await filesOf(path, io));
  const counts = new Map<string, number>();
  for (const { operator, domain } of graph.nodes) {
    const name = domain === "" ? operator : `${domain}.${operator}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const values = (list: typeof graph.inputs) =>
    list.map(({ name, type, shape }) => ({ name, type: elementName(type), shape }));
  let parameters = 0;
  for (const { dims } of graph.initializers.values())
    parameters += dims.reduce((product, d) => product * d, 1);
  const about = {
    kind: "model" as const,
    file: path,
    producer: graph.producer,
    opset: graph.opset,
    parameters,
    inputs: values(graph.inputs),
    outputs: values(graph.outputs),
    operators: [...counts].map(([name, count]) => ({ name, count })),
  };
  try {
    const { detected, missing, layout } = await openNetworkFile(path, io, {
      ...(hidden !== undefined && { hidden }),
      ...(output !== undefined && { output }),
    });
    const { lastLayer } = detected;
    return {
      ...about,
      detected: {
        output: detected.output.name,
        link: detected.link,
        hidden: detected.hidden,
        units: lastLayer?.weights.cols ?? null,
        logits: lastLayer?.weights.rows ?? null,
        columns: layout.width,
        rowsAtOnce: layout.batch,
        withoutDerivatives: missing,
      },
      why: null,
      version,
    };
  } catch (error) {
    // A file that is sound but has nothing to explain is still described; what was asked for by name must be there.
    if (hidden !== undefined || output !== undefined || !(error instanceof Error)) throw error;
    return { ...about, detected: null, why: reasonText(error), version };
  }
}
