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

/** The columns that a text names: one per line, or with commas or tabs between them. The target stays what it is. */
export function namesIn(
  text: string,
  columns: readonly { readonly name: string; readonly use: string }[],
): string[] {
  const named = new Set(
    text.split(/[\r\n,\t]+/).map((name) => name.trim().replace(/^"(.*)"$/, "$1")),
  );
  return columns.flatMap(({ name, use }) => (use !== "target" && named.has(name) ? [name] : []));
}

/**
 * With one more group, of columns written with commas between them: a name is that column, anything else every column whose
 * name contains it. A group of that name is replaced.
 */
export function withGroup(
  groups: ColumnGroups,
  name: string,
  text: string,
  names: readonly string[],
): ColumnGroups {
  const parts = text.toLowerCase().split(",");
  const wanted = parts.map((part) => part.trim()).filter((part) => part !== "");
  const whole = new Set(names.map((name) => name.toLowerCase()));
  const members = names.filter((column) => {
    const name = column.toLowerCase();
    return wanted.some((part) => (whole.has(part) ? name === part : name.includes(part)));
  });
  return members.length === 0 ? groups : { ...groups, [name]: members };
}

/** Without the group of that name. */
export function withoutGroup(groups: ColumnGroups, name: string): ColumnGroups {
  return Object.fromEntries(Object.entries(groups).filter(([other]) => other !== name));
}
