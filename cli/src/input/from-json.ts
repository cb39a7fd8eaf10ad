import { RatewiseError } from "@ratewise/core";
import { groupsFromLists, type Json, parseJson } from "@ratewise/core/data";
import { decodeText, within } from "@ratewise/files";
import {
  allFields,
  type GroupField,
  type NumberField,
  numberFields,
  type PosteriorFields,
} from "./fields.ts";

function bad(where: string, needed: string, got: string): RatewiseError {
  return new RatewiseError("domain", { at: where, what: `needs ${needed}, got ${got}` });
}

/** JSON in UTF-8, with the file before every message. */
export function parseJsonFile(path: string, bytes: Uint8Array): Json {
  return within(path, () => parseJson(decodeText(bytes)));
}

/** The fields of a posterior.json. */
export function fieldsOfJson(
  path: string,
  bytes: Uint8Array,
  ignored: (name: string) => void,
): PosteriorFields {
  const document = parseJsonFile(path, bytes);
  if (!(document instanceof Map))
    throw bad(path, 'an object such as { "mean": …, "factor": … }', kindOf(document));
  const fields: { -readonly [K in keyof PosteriorFields]: PosteriorFields[K] } = {};
  for (const name of numberFields) {
    const value = document.get(name);
    if (value === undefined || value === null) continue;
    const where = `${path}: ${name}`;
    fields[name] = name === "mean" || name === "noise" ? vector(where, value) : table(where, value);
  }
  const names = document.get("names") ?? undefined;
  if (names !== undefined)
    fields.names = { where: `${path}: names`, names: texts(`${path}: names`, names) };
  const groups = document.get("groups") ?? undefined;
  if (groups !== undefined) fields.groups = groupsOfJson(path, groups);
  for (const name of document.keys()) if (!allFields.includes(name)) ignored(name);
  return fields;
}

/** Groups `{ "name": [ members ] }`; a number is a column, a text a name. */
export function groupsOfJson(path: string, value: Json): GroupField {
  if (!(value instanceof Map))
    throw bad(`${path}: groups`, 'an object such as { "name": ["x1", 4] }', kindOf(value));
  const lists = Array.from(value, ([name, members]): [string, (string | number)[]] => {
    const where = `${path}: groups: "${name}"`;
    if (!Array.isArray(members)) throw bad(where, "a list of members", kindOf(members));
    members.forEach((member: Json, i) => {
      if (typeof member !== "string" && typeof member !== "number")
        throw bad(`${where}, member ${i}`, "a name or a column", kindOf(member));
    });
    return [name, members as (string | number)[]];
  });
  return (index) => within(path, () => groupsFromLists(lists, index));
}

/** A list of texts. */
export function texts(where: string, value: Json): string[] {
  if (!Array.isArray(value)) throw bad(where, "a list of texts", kindOf(value));
  value.forEach((item: Json, i) => {
    if (typeof item !== "string") throw bad(`${where}[${i}]`, "a text", kindOf(item));
  });
  return value as string[];
}

function vector(where: string, value: Json): NumberField {
  if (!Array.isArray(value)) throw bad(where, "a list of numbers", kindOf(value));
  const data = new Float64Array(value.length);
  fill(where, data, 0, value);
  return { where, shape: [data.length], data };
}

function table(where: string, value: Json): NumberField {
  if (!Array.isArray(value)) throw bad(where, "a list of rows", kindOf(value));
  const first: Json = value[0] ?? [];
  const columns = Array.isArray(first) ? first.length : 0;
  const data = new Float64Array(value.length * columns);
  value.forEach((row: Json, i) => {
    if (!Array.isArray(row)) throw bad(`${where}[${i}]`, "a row of numbers", kindOf(row));
    if (row.length !== columns)
      throw new RatewiseError("shape", {
        at: `${where}[${i}]`,
        what: `needs ${columns} numbers, as in row 0, got ${row.length}`,
      });
    fill(`${where}[${i}]`, data, i * columns, row);
  });
  return { where, shape: [value.length, columns], data };
}

function fill(where: string, data: Float64Array, start: number, row: readonly Json[]): void {
  for (let j = 0; j < row.length; j++) {
    const item = row[j];
    if (typeof item !== "number") throw bad(`${where}[${j}]`, "a number", kindOf(item));
    data[start + j] = item;
  }
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Map) return "an object";
  return JSON.stringify(value);
}
