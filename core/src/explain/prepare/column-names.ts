import { isNumeric, variableOfColumn } from "../../data/encoding.ts";
import type { Encoding } from "../../data/index.ts";
import type { Group } from "../../rate/index.ts";
import type { AskedGroup } from "./prepared.ts";

/** A name for every column of X: the variable's, with the level for texts; of two texts the rarer. */
export function columnNames({ variables }: Encoding): string[] {
  return variables.flatMap((variable) => {
    const { name } = variable;
    if (isNumeric(variable)) return [name];
    const levels = variable.kind === "category" ? variable.levels : [variable.values[1]];
    return levels.map((level) => `${name}=${level}`);
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
