import { RatewiseError } from "@ratewise/core";
import { groupsFromPairs } from "@ratewise/core/data";
import { readNpz, within } from "@ratewise/files";
import {
  allFields,
  type GroupField,
  numberField,
  numberFields,
  type PosteriorFields,
  textList,
} from "../fields.ts";

/** The fields of a posterior.npz. `groups` holds one group's name a variable, "" for none. */
export function fieldsOfNpz(
  path: string,
  bytes: Uint8Array,
  ignored: (name: string) => void,
): PosteriorFields {
  const only = (name: string): boolean => {
    if (!allFields.includes(name)) ignored(name);
    return allFields.includes(name);
  };
  const arrays = within(path, () => readNpz(bytes, { only }));
  const fields: { -readonly [K in keyof PosteriorFields]: PosteriorFields[K] } = {};
  for (const name of numberFields) {
    const array = arrays.get(name);
    if (array) fields[name] = numberField(`${path}: ${name}`, array);
  }
  const names = arrays.get("names");
  if (names) fields.names = { where: `${path}: names`, names: textList(`${path}: names`, names) };
  const groups = arrays.get("groups");
  if (groups) fields.groups = groupsOfTexts(`${path}: groups`, textList(`${path}: groups`, groups));
  return fields;
}

function groupsOfTexts(where: string, groups: readonly string[]): GroupField {
  return (index) => {
    if (groups.length !== index.size)
      throw new RatewiseError("shape", {
        at: where,
        what: `needs ${index.size} texts, one per variable, got ${groups.length}`,
      });
    const variables = [...index.keys()];
    const pairs = groups
      .map((group, j) => [variables[j], group] as const)
      .filter(([, group]) => group !== "");
    return within(where, () => groupsFromPairs(pairs, index));
  };
}
