import { RatewiseError } from "@ratewise/core";
import type { OnnxModel, TensorRecord } from "./model.ts";
import { checkTensor } from "./tensor.ts";

/** Gives the bytes of a file beside the model; called only with paths that stay in its folder. */
export type ReadBeside = (path: string) => Promise<Uint8Array>;

/** Files that hold weights outside the model, by the path the model gives. */
export type ExternalFiles = ReadonlyMap<string, Uint8Array>;

/**
 * Reads the files that hold a model's weights. A path that leaves the model's folder is refused before anything
 * is opened: a model from somewhere else must not choose which files of this machine are read.
 */
export async function readExternal(
  model: OnnxModel,
  readBeside: ReadBeside | undefined,
): Promise<ExternalFiles> {
  const files = new Map<string, Uint8Array>();
  for (const record of tensorsOf(model)) {
    if (!record.external) continue;
    const { location } = record.external;
    if (files.has(location)) continue;
    if (leavesFolder(location))
      throw new RatewiseError("file", {
        what: `the tensor "${record.name}" lies in "${location}", outside the model's folder`,
        advice: "ratewise does not read it",
        location,
      });
    if (!readBeside) throw missing(record, location);
    let bytes: Uint8Array;
    try {
      bytes = await readBeside(location);
    } catch (error) {
      if (error instanceof RatewiseError && error.code !== "file") throw error;
      throw missing(record, location, error);
    }
    files.set(location, bytes);
  }
  return files;
}

/** The bytes of a tensor, wherever they lie; null for numbers that the file lists. */
export function rawOf(record: TensorRecord, files: ExternalFiles): Uint8Array | null {
  if (!record.external) return record.raw;
  const { location, offset, length } = record.external;
  const file = files.get(location)!;
  const end = length === null ? file.length : offset + length;
  if (offset > file.length || end > file.length)
    throw new RatewiseError("parse", {
      what: `the tensor "${record.name}" claims the bytes ${offset} to ${end} of "${location}", which has ${file.length}`,
      location,
    });
  return file.subarray(offset, end);
}

/** Throws unless every tensor of the model has as many bytes as its shape says. */
export function checkTensors(model: OnnxModel, files: ExternalFiles): void {
  for (const record of tensorsOf(model)) checkTensor(record, rawOf(record, files));
}

/** Weights and the tensors of Constant nodes and the like. */
function* tensorsOf({ initializers, nodes }: OnnxModel): Generator<TensorRecord> {
  yield* initializers.values();
  for (const { attributes } of nodes)
    for (const { tensor } of attributes.values()) if (tensor) yield tensor;
}

function leavesFolder(path: string): boolean {
  return (
    /^([/\\]|[A-Za-z]:|[a-z]+:\/\/)/.test(path) ||
    path.includes("\0") ||
    path.split(/[/\\]/).includes("..")
  );
}

function missing({ name }: TensorRecord, location: string, cause?: unknown): RatewiseError {
  return new RatewiseError("file", {
    what: `the tensor "${name}" lies in "${location}" beside the model, which cannot be read`,
    advice: "put that file there, or save the model in one file",
    location,
    cause,
  });
}
