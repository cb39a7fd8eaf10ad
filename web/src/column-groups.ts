/** Groups of columns by name. */
export type ColumnGroups = Readonly<Record<string, readonly string[]>>;

/** Columns whose names begin alike, up to the first of _ . : - or a blank; those that stand alone are in none. */
export function groupsByPrefix(names: readonly string[]): ColumnGroups {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const prefix = /^([^_.:\- ]+)[_.:\- ]/.exec(name)?.[1];
    if (prefix !== undefined) found.set(prefix, [...(found.get(prefix) ?? []), name]);
  }
  return Object.fromEntries([...found].filter(([, members]) => members.length > 1));
}

/** With one more group: the columns whose names contain `text`. A group of that name is replaced. */
export function withGroup(
  groups: ColumnGroups,
  name: string,
  text: string,
  names: readonly string[],
): ColumnGroups {
  const wanted = text.toLowerCase();
  const members = names.filter((column) => column.toLowerCase().includes(wanted));
  return members.length === 0 ? groups : { ...groups, [name]: members };
}

/** Without the group of that name. */
export function withoutGroup(groups: ColumnGroups, name: string): ColumnGroups {
  return Object.fromEntries(Object.entries(groups).filter(([other]) => other !== name));
}
