import { isNumeric, variableOfColumn } from "../../data/encoding.ts";
import type { Expansion } from "../../data/expansion.ts";
import type { Encoding, VariableEncoding } from "../../data/index.ts";
import type { Group } from "../../rate/index.ts";
import type { AskedGroup } from "./prepared.ts";

/** A name for every column of X: the variable's, with the level for texts, of two the rarer, and the value for an expansion. */
export function columnNames(encoding: Encoding): string[] {
  const own = encoding.variables.flatMap((variable) => {
    const { name } = variable;
    if (isNumeric(variable)) return [name];
    const levels = variable.kind === "category" ? variable.levels : [variable.values[1]];
    return levels.map((level) => `${name}=${level}`);
  });
  const expanded = expansionsInTableUnits(encoding).flatMap(({ name, kind, knots }) =>
    knots.map((knot) => `${name}${kind === "values" ? "=" : " near "}${knot}`),
  );
  return [...own, ...expanded];
}

/** Columns of X made of a variable's own, and the knots in the table's units. */
interface TableExpansion extends Pick<Expansion, "kind" | "knots"> {
  readonly name: string;
  readonly variable: number;
}

/** Knots as the table has them, but for the rounding of single precision: to six digits. */
export function expansionsInTableUnits({ variables, expansions = [] }: Encoding): TableExpansion[] {
  return expansions.map(({ column, kind, knots }) => {
    const at = variables.findIndex(({ first, kind }) => kind === "number" && first === column);
    const { name, mean, scale } = variables[at] as Extract<VariableEncoding, { kind: "number" }>;
    const inUnits = knots.map((knot) => {
      const value = knot * scale + mean;
      // A sum that is nearly nothing beside what was added is nothing.
      return Math.abs(value) < 1e-6 * Math.abs(mean) ? 0 : Number(value.toPrecision(6));
    });
    return { name, variable: at, kind, knots: inUnits };
  });
}

/** The columns of each variable: a category is a group of its levels. */
export function variablesAsGroups(encoding: Encoding): Group[] {
  const members: number[][] = encoding.variables.map(() => []);
  variableOfColumn(encoding).forEach((variable, column) => {
    members[variable].push(column);
  });
  return encoding.variables.map(({ name }, index) => ({ name, members: members[index] }));
}

/** Groups of variables (by index) as groups of columns. */
export function groupsOfColumns(
  variables: readonly Group[],
  groups: readonly Group[],
): AskedGroup[] {
  return groups.map(({ name, members }) => {
    const own = [...new Set(members)];
    return {
      name,
      members: own.flatMap((variable) => variables[variable].members),
      size: own.length,
    };
  });
}
