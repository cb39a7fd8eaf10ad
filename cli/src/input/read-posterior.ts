import { RatewiseError } from "@ratewise/core";
import { decodeText, readBytes, within } from "@ratewise/files";
import type { Io } from "../io.ts";
import { fieldOfNpy, numberFields, type PosteriorFields } from "./fields.ts";
import { fieldsOfJson } from "./from-json.ts";
import { fieldsOfNpz } from "./posterior/from-npz.ts";

/** A posterior.json or posterior.npz; other endings are told apart by how the file begins. */
export async function readPosterior(path: string, io: Io): Promise<PosteriorFields> {
  const { name, bytes } = await readBytes(path, io);
  const ignored = (field: string): void => {
    io.err(`ratewise: ${path}: a posterior has no field "${field}"; it is ignored`);
  };
  const zip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const npz = /\.npz$/i.test(name) || (zip && !/\.json$/i.test(name));
  if (npz) return fieldsOfNpz(path, bytes, ignored);
  if (!/\.json$/i.test(name)) within(path, () => refuseOtherText(decodeText(bytes)));
  return fieldsOfJson(path, bytes, ignored);
}

/** A table, say: reading it as JSON would complain of its first letter. */
function refuseOtherText(text: string): void {
  const start = text.trimStart();
  if (start === "" || start.startsWith("{")) return;
  const line = start.split("\n", 1)[0].trimEnd();
  const shown = line.length > 20 ? `${line.slice(0, 20)}…` : line;
  throw new RatewiseError("parse", {
    what: `is not a posterior: needs JSON or NPZ, got text that begins "${shown}"`,
  });
}

/** One .npy file a field. */
export async function readArrays(
  paths: Readonly<Partial<Record<(typeof numberFields)[number], string>>>,
  io: Io,
): Promise<PosteriorFields> {
  const fields: { -readonly [K in keyof PosteriorFields]: PosteriorFields[K] } = {};
  for (const field of numberFields) {
    const path = paths[field];
    if (path !== undefined) fields[field] = fieldOfNpy(path, (await readBytes(path, io)).bytes);
  }
  return fields;
}
