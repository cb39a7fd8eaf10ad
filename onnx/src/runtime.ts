import { RatewiseError } from "@ratewise/core";
import type { InferenceSession, Tensor as RuntimeTensor, TypedTensor } from "onnxruntime-web/wasm";
import { fromHalf, toHalf } from "./half.ts";
import { elementTypes } from "./model.ts";
import type { OnnxNetwork } from "./network.ts";
import type { Tensor } from "./tensor.ts";

type Runtime = typeof import("onnxruntime-web/wasm");

/** A network in onnxruntime-web, with more of its tensors among its outputs; `close` frees its memory. */
export interface Session {
  readonly run: (x: Tensor, names: readonly string[]) => Promise<Tensor[]>;
  readonly close: () => Promise<void>;
}

let loading: Promise<Runtime> | null = null;

async function runtime(): Promise<Runtime> {
  loading ??= import("onnxruntime-web/wasm").then((found) => {
    found.env.wasm.numThreads = 1; // its rounding must not depend on the machine
    found.env.logLevel = "fatal";
    return found;
  });
  try {
    return await loading;
  } catch (error) {
    loading = null;
    throw new RatewiseError("engine", {
      what: "an ONNX file needs the npm package onnxruntime-web, not installed here",
      advice: "run: npm install onnxruntime-web@1",
      cause: error,
    });
  }
}

/** Loads the network, with `names` added to what it gives back. */
export async function openSession(
  network: OnnxNetwork,
  names: readonly string[],
): Promise<Session> {
  const { InferenceSession: sessions, Tensor: tensors } = await runtime();
  const { bytes, files, detected, model } = network;
  const outputs = new Set(model.outputs.map(({ name }) => name));
  let session: InferenceSession;
  try {
    session = await sessions.create(
      withOutputs(
        bytes,
        names.filter((name) => !outputs.has(name)),
      ),
      {
        executionProviders: ["wasm"],
        logSeverityLevel: 4,
        externalData: [...files].map(([path, data]) => ({ path, data })),
      },
    );
  } catch (error) {
    throw refused(error);
  }
  const { name, type } = detected.input;
  return {
    run: async (x, wanted) => {
      try {
        const made = await session.run({ [name]: toRuntime(tensors, type, x) }, [...wanted]);
        return wanted.map((output) => fromRuntime(output, made[output]));
      } catch (error) {
        if (error instanceof RatewiseError) throw error;
        throw refused(error);
      }
    },
    close: () => session.release(),
  };
}

/**
 * The file with tensors added to its outputs. Two messages one after the other are merged when read, lists
 * joined (Protocol Buffers, “Last One Wins”): a model that holds only graph.output goes to the end.
 */
export function withOutputs(bytes: Uint8Array, names: readonly string[]): Uint8Array {
  if (names.length === 0) return bytes;
  const graph = names.flatMap((name) => field(12, field(1, [...new TextEncoder().encode(name)])));
  const more = field(7, graph);
  const out = new Uint8Array(bytes.length + more.length);
  out.set(bytes);
  out.set(more, bytes.length);
  return out;
}

function field(number: number, content: readonly number[]): number[] {
  return [...varint(number * 8 + 2), ...varint(content.length), ...content];
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function toRuntime(
  tensors: Runtime["Tensor"],
  type: number,
  { dims, data }: Tensor,
): RuntimeTensor {
  if (type === elementTypes.double) return new tensors("float64", data.slice(), dims);
  if (type === elementTypes.float16)
    return new tensors("float16", Uint16Array.from(data, toHalf), dims);
  return new tensors("float32", new Float32Array(data), dims);
}

function fromRuntime(name: string, made: RuntimeTensor): Tensor {
  const { data, dims, type } = made as TypedTensor<"float32">;
  if (!ArrayBuffer.isView(data) || data instanceof DataView)
    throw new RatewiseError("domain", { what: `"${name}" holds no numbers` });
  if ((type as string) === "float16" && data instanceof Uint16Array)
    return { dims, data: Float64Array.from(data, fromHalf) };
  if (data instanceof Float32Array || (data as unknown) instanceof Float64Array)
    return { dims, data: new Float64Array(data) };
  return { dims, data: Float64Array.from(data as ArrayLike<number>, Number) };
}

/** The runtime's own words, without its file names and codes. */
function refused(error: unknown): RatewiseError {
  const words = String((error as Error)?.message ?? error);
  const message = (/ERROR_MESSAGE: ([\s\S]*)$/.exec(words)?.[1] ?? words)
    .replace(/^\S*\.cc:\d+ .*?\) /, "")
    .replace(/^[\w/.]*onnxruntime[\w/.]*:\d+ [^.]*\)\s*/, "")
    .trim()
    .split("\n")[0]
    .slice(0, 300);
  return new RatewiseError("domain", {
    what: `onnxruntime-web cannot run this network: ${message}`,
    cause: error,
  });
}
