import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import { type Encoding, OTHER_LEVEL } from "./encoding.ts";
import { fitEncoding, MOST_LEVELS } from "./fit-encoding.ts";
import { columnNamed, type Table } from "./table.ts";

const SHOWN = 3;

/**
 * Which categories have so many levels that the rarest count as one, how many those are and in how many of the rows.
 *
 * @param encoding fitted to these rows; default that of the categories among the named columns
 */
export function pooledLevelsNote(
  source: Table,
  names: readonly string[],
  rows: Uint32Array,
  encoding?: Encoding,
): Diagnostic[] {
  const wide = names.filter((name) => {
    const column = columnNamed(source, name);
    return column.kind === "category" && column.levels.length > MOST_LEVELS;
  });
  if (wide.length === 0) return [];
  const { variables } = encoding ?? fitEncoding(source, wide, rows);
  const pooled = variables.flatMap((variable) => {
    if (variable.kind !== "category" || !wide.includes(variable.name)) return [];
    if (variable.levels[variable.levels.length - 1] !== OTHER_LEVEL) return [];
    const column = columnNamed(source, variable.name);
    const met = new Set(column.kind === "category" ? rows.map((row) => column.codes[row] + 1) : []);
    met.delete(0);
    const levels = met.size - (variable.levels.length - 1);
    return [{ name: variable.name, levels, of: met.size, share: variable.shares.at(-1)! }];
  });
  if (pooled.length === 0) return [];
  const told = pooled
    .slice(0, SHOWN)
    .map(
      ({ name, levels, of, share }) =>
        `of "${name}" ${levels} of ${of} levels (${(100 * share).toFixed(0)}% of the rows)`,
    );
  const more = pooled.length > SHOWN ? `, and those of ${pooled.length - SHOWN} more columns` : "";
  return [
    diagnostic(
      "rare-levels-pooled",
      `Rare levels count as one, "${OTHER_LEVEL}": ${told.join(", ")}${more}. The ${MOST_LEVELS - 1} commonest levels of a column stay apart.`,
      { names: pooled.map(({ name }) => name) },
    ),
  ];
}
