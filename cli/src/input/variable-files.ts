import { RatewiseError } from "@ratewise/core";
import {
  groupsFromGmt,
  groupsFromPairs,
  type Interval,
  parseBedIntervals,
  readNpy,
} from "@ratewise/core/data";
import { decodeText, readBytes, readCsvRecords, within } from "@ratewise/files";
import type { Io } from "../io.ts";
import { type GroupField, type NameField, textList } from "./fields.ts";
import { groupsOfJson, parseJsonFile, texts } from "./from-json.ts";
import {
  type GroupOptions,
  groupsOfIntervals,
  intervalsOfTable,
  isGeneTable,
} from "./intervals.ts";

/** `--names`: a JSON list, a .npy of texts, or a text file with one name per line. */
export async function readNames(path: string, io: Io): Promise<NameField> {
  const { name, bytes } = await readBytes(path, io);
  if (/\.json$/i.test(name)) return { where: path, names: texts(path, parseJsonFile(path, bytes)) };
  if (/\.npy$/i.test(name))
    return { where: path, names: within(path, () => textList("names", readNpy(bytes))) };
  const lines = within(path, () => decodeText(bytes)).split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return { where: path, names: lines };
}

/**
 * `--groups`: JSON, CSV `variable,group`, GMT, BED, or a gene table (symbol, chr, start, end). What GMT and intervals name
 * and the variables do not have is counted.
 */
export async function readGroups(
  path: string,
  io: Io,
  options: GroupOptions = {},
): Promise<GroupField> {
  const kind = /\.(json|csv|tsv|txt|gmt|bed)(?:\.gz)?$/i.exec(path)?.[1].toLowerCase();
  if (kind === undefined)
    throw new RatewiseError("usage", {
      what: `--groups needs a .json, .csv, .tsv, .gmt or .bed file, got "${path}"`,
    });
  const { bytes } = await readBytes(path, io);
  const text = kind === "json" ? "" : within(path, () => decodeText(bytes));
  const intervals = (list: readonly Interval[]): GroupField =>
    groupsOfIntervals(path, list, options, io);
  if (kind === "bed") return intervals(parseBedIntervals(text, path));
  if (isGeneTable(text)) return intervals(intervalsOfTable(text, path));
  if (options.window !== undefined)
    throw new RatewiseError("usage", {
      what: `--window needs a BED file or a gene table, got "${path}"`,
    });
  if (kind === "json") return groupsOfJson(path, parseJsonFile(path, bytes));
  return kind === "gmt" ? groupsOfGmt(path, text, io) : groupsOfCsv(path, text);
}

function groupsOfCsv(path: string, text: string): GroupField {
  const pairs = readCsvRecords(text, path, ["variable", "group"]).map(
    ([variable, group]) => [variable, group] as const,
  );
  if (pairs.length === 0)
    throw new RatewiseError("parse", { at: path, what: "needs rows after the header, got none" });
  return (index) => within(path, () => groupsFromPairs(pairs, index));
}

function groupsOfGmt(path: string, text: string, io: Io): GroupField {
  return (index) => {
    const { groups, unknownMembers, emptySets } = within(path, () => groupsFromGmt(text, index));
    if (groups.length === 0)
      throw new RatewiseError("unknown-name", {
        at: path,
        what: `needs sets with known variables, got none in ${emptySets} sets`,
      });
    if (unknownMembers > 0)
      io.err(
        `ratewise: ${path}: memberships of unknown variables, which were ignored: ${unknownMembers}; sets left out with them: ${emptySets}`,
      );
    return groups;
  };
}
