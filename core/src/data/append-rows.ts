import { RatewiseError } from "../errors.ts";
import { type Column, missingCount, type Table } from "./table.ts";

/**
 * The rows of `more` after those of `source`, in the columns of `source`, which are found by name. Columns that are needed must be there
 * and hold the same kind of values; of the others what is not there is missing. Categories keep the levels of `source` in their order.
 */
export function appendRows(source: Table, more: Table, needed: ReadonlySet<string>): Table {
  const byName = new Map(more.columns.map((column) => [column.name, column]));
  const absent = source.columns.filter(({ name }) => needed.has(name) && !byName.has(name));
  if (absent.length > 0) throw absentColumns(absent, more);
  const columns = source.columns.map((column) => {
    const found = byName.get(column.name);
    if (found && (found.kind === column.kind || missingCount(found) === more.rows))
      return joined(column, found.kind === column.kind ? found : null, more.rows);
    if (!needed.has(column.name)) return joined(column, null, more.rows);
    const what = (kind: Column["kind"]): string => (kind === "number" ? "numbers" : "texts");
    throw new RatewiseError("domain", {
      at: "the test table",
      what: `column "${column.name}" holds ${what(found!.kind)}, but in the table to learn from it holds ${what(column.kind)}`,
      name: column.name,
    });
  });
  return { rows: source.rows + more.rows, columns };
}

function joined(column: Column, more: Column | null, rows: number): Column {
  if (column.kind === "number") {
    const values = new Float64Array(column.values.length + rows).fill(Number.NaN);
    values.set(column.values);
    if (more?.kind === "number") values.set(more.values, column.values.length);
    return { ...column, values };
  }
  const codes = new Int32Array(column.codes.length + rows).fill(-1);
  codes.set(column.codes);
  if (more?.kind !== "category") return { ...column, codes };
  const levels = [...column.levels];
  const index = new Map(levels.map((level, code) => [level, code]));
  const translated = more.levels.map((level) => {
    const code = index.get(level) ?? levels.push(level) - 1;
    index.set(level, code);
    return code;
  });
  more.codes.forEach((code, i) => {
    if (code >= 0) codes[column.codes.length + i] = translated[code];
  });
  return { ...column, levels, codes };
}

function absentColumns(absent: readonly Column[], more: Table): RatewiseError {
  const names = absent.map(({ name }) => `"${name}"`);
  const shown = names.slice(0, 5).join(", ") + (names.length > 5 ? `, … (${names.length})` : "");
  const there = more.columns.map(({ name }) => name);
  return new RatewiseError("unknown-name", {
    at: "the test table",
    what: `has no column ${shown}`,
    advice: `its columns are ${there.slice(0, 20).join(", ")}${there.length > 20 ? ", …" : ""}`,
    names: absent.map(({ name }) => name),
  });
}
