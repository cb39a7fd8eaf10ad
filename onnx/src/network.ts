import { RatewiseError } from "@ratewise/core";
import { besideOf, disk } from "./beside.ts";
import { type Detected, type DetectOptions, detect } from "./detect.ts";
import { checkTensors, type ExternalFiles, type ReadBeside, readExternal } from "./external.ts";
import { type InputLayout, inputLayout } from "./input-layout.ts";
import type { OnnxModel } from "./model.ts";
import { named } from "./named.ts";
import { labelOf } from "./order.ts";
import { compile, type Program } from "./program.ts";
import { readOnnx } from "./read-onnx.ts";

/** A network that somebody trained: plain data. */
export interface OnnxNetwork {
  readonly kind: "onnx-network";
  /** The file. */
  readonly bytes: Uint8Array;
  readonly files: ExternalFiles;
  readonly model: OnnxModel;
  readonly detected: Detected;
  readonly layout: InputLayout;
  /** From the input to f, in operators with derivatives; null where one of them is not known. */
  readonly program: Program | null;
  /** The operators that have no derivatives here. */
  readonly missing: readonly string[];
}

export interface OpenOptions extends DetectOptions {
  /** Reads a file of weights beside the model, where it has such files; of a path by default what lies in its folder. */
  readonly readBeside?: ReadBeside;
  /** What errors call the file; default its path. */
  readonly where?: string;
}

/**
 * Opens an ONNX file by its path or from its bytes: checks it, finds its last linear layer, and imports its operators. Every tensor is checked to
 * be there before anything is computed; errors name the file.
 */
export async function openNetwork(
  source: Uint8Array | string,
  options: OpenOptions = {},
): Promise<OnnxNetwork> {
  const path = typeof source === "string" ? source : null;
  const { readBeside = path !== null && besideOf(path) } = options;
  const where = options.where ?? path ?? undefined;
  return naming("openNetwork", where, async () => {
    const bytes = typeof source === "string" ? await readPath(source) : source;
    const { model, files } = await openModel(bytes, {
      ...(where !== undefined && { where }),
      ...(readBeside && { readBeside }),
    });
    const detected = detect(model, files, options);
    const compiled = compile(model, files, detected.input.name, detected.functionTensor);
    return {
      kind: "onnx-network",
      bytes,
      files,
      model,
      detected,
      layout: inputLayout(detected.input),
      ...compiled,
    };
  });
}

async function readPath(path: string): Promise<Uint8Array> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (error instanceof RatewiseError) throw error;
    throw new RatewiseError("file", {
      what:
        (error as { code?: unknown }).code === "ENOENT"
          ? "there is no such file"
          : `cannot be read (${(error as Error).message})`,
      path,
      cause: error,
    });
  }
}

/** Reads and checks a model without looking for a last layer. */
export async function openModel(
  bytes: Uint8Array,
  options: Pick<OpenOptions, "readBeside" | "where"> = {},
): Promise<{ model: OnnxModel; files: ExternalFiles }> {
  const { where, readBeside } = options;
  return naming("openModel", where, async () => {
    const model = readOnnx(bytes, where);
    checkDomains(model);
    const files = await readExternal(model, readBeside);
    checkTensors(model, files);
    return { model, files };
  });
}

/** Domains whose operators the runtime has. */
const runtimeDomains = new Set(["", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc"]);

/** The opsets that are read: the newest is the newest that onnxruntime-web 1.30 runs. */
const FIRST_OPSET = 9;
const NEWEST_OPSET = 26;

function checkDomains({ nodes, functions, opset }: OnnxModel): void {
  if (opset < FIRST_OPSET || opset > NEWEST_OPSET)
    throw new RatewiseError("domain", {
      what: `needs operators of opset ${FIRST_OPSET} to ${NEWEST_OPSET}, got ${opset}`,
      advice: "export or convert the model again",
      opset,
    });
  const custom = nodes.find(
    ({ domain, operator }) =>
      !runtimeDomains.has(domain) && !functions.has(`${domain}:${operator}`),
  );
  if (custom)
    throw new RatewiseError("domain", {
      what: `uses the custom operator ${custom.domain}.${labelOf(custom)}, which is not defined in the file`,
      advice: "export the model with standard operators",
      operator: custom.operator,
    });
}

/** Errors name the file, or the function `caller` where the file has no name. */
export async function naming<T>(
  caller: string,
  file: string | undefined,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof RatewiseError ? named(error, caller, file) : error;
  }
}
