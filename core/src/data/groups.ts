import { RatewiseError } from "../errors.ts";

/** A named set of variables, by column. Groups may overlap. */
export interface VariableGroup {
  readonly name: string;
  readonly members: readonly number[];
}

/** Where each name stands. Names must differ, for groups and results refer to variables by them. */
export function indexNames(names: readonly string[]): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  for (let j = 0; j < names.length; j++) {
    const before = index.get(names[j]);
    if (before !== undefined)
      throw new RatewiseError("domain", {
        in: "indexNames",
        what: `needs names that differ, got "${names[j]}" as number ${before} and ${j}`,
        name: names[j],
      });
    index.set(names[j], j);
  }
  return index;
}

/** The column of a variable given by name, or by 0-based index where it is a number. */
function columnOf(
  where: string,
  variable: string | number,
  index: ReadonlyMap<string, number>,
): number {
  const column = typeof variable === "string" ? index.get(variable) : variable;
  if (column === undefined)
    throw new RatewiseError("unknown-name", {
      at: where,
      what: `needs known variables, got "${variable}"`,
      name: variable,
    });
  if (!Number.isInteger(column) || column < 0 || column >= index.size)
    throw new RatewiseError("unknown-name", {
      at: where,
      what: `needs columns from 0 to ${index.size - 1}, got ${variable}`,
      column,
    });
  return column;
}

/** Groups from `[name, members]`; a member is a variable's name or its 0-based column, and counts once. */
export function groupsFromLists(
  lists: Iterable<readonly [string, readonly (string | number)[]]>,
  index: ReadonlyMap<string, number>,
): VariableGroup[] {
  const groups: VariableGroup[] = [];
  for (const [name, list] of lists) {
    const members = new Set<number>();
    list.forEach((variable, i) => {
      members.add(columnOf(`groups: "${name}", member ${i}`, variable, index));
    });
    if (members.size === 0)
      throw new RatewiseError("domain", {
        at: `groups: "${name}"`,
        what: `needs at least one variable, got an empty group`,
        name,
      });
    groups.push({ name, members: [...members] });
  }
  return groups;
}

/** Groups from rows of variable and group, in the order in which the groups first appear. */
export function groupsFromPairs(
  pairs: Iterable<readonly [string, string]>,
  index: ReadonlyMap<string, number>,
): VariableGroup[] {
  const lists = new Map<string, string[]>();
  for (const [variable, group] of pairs) {
    const list = lists.get(group);
    if (list) list.push(variable);
    else lists.set(group, [variable]);
  }
  return groupsFromLists(lists, index);
}

/** What a GMT file gave, and how much of it was about variables that are not here. */
export interface GmtGroups {
  readonly groups: VariableGroup[];
  /** Memberships of unknown variables, which were ignored. */
  readonly unknownMembers: number;
  /** Sets without a known variable, which were left out. */
  readonly emptySets: number;
}

/**
 * Groups from a GMT file (a line a set: name, description, members; tabs between). Gene set
 * collections cover far more than one study measures, so unknown members are counted, not refused.
 * Source: the Broad Institute's GSEA file formats.
 */
export function groupsFromGmt(text: string, index: ReadonlyMap<string, number>): GmtGroups {
  const groups = new Map<string, VariableGroup>();
  let unknownMembers = 0;
  let emptySets = 0;
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === "") return;
    const [name, description, ...list] = line.split("\t");
    if (name === "" || description === undefined)
      throw new RatewiseError("parse", {
        in: "groupsFromGmt",
        what: `needs a name, a description and members with tabs between, got another line ${i + 1}`,
        line: i + 1,
      });
    if (groups.has(name))
      throw new RatewiseError("parse", {
        in: "groupsFromGmt",
        what: `needs every set once, got "${name}" again in line ${i + 1}`,
        line: i + 1,
        name,
      });
    const members = new Set<number>();
    for (const variable of list) {
      const column = index.get(variable);
      if (column !== undefined) members.add(column);
      else if (variable !== "") unknownMembers++;
    }
    if (members.size === 0) emptySets++;
    else groups.set(name, { name, members: [...members] });
  });
  return { groups: [...groups.values()], unknownMembers, emptySets };
}
