import { readBytes } from "@ratewise/files";
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
  return npz ? fieldsOfNpz(path, bytes, ignored) : fieldsOfJson(path, bytes, ignored);
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
