import { variableOfColumn } from "../../data/design.ts";
import type { Encoding } from "../../data/index.ts";
import type { Group } from "../../rate/index.ts";
import type { AskedGroup } from "./prepared.ts";

/** A name for every column of X: the variable's, with the level for a category. */
export function columnNames({ variables }: Encoding): string[] {
  return variables.flatMap((variable) =>
    variable.kind === "number"
      ? [variable.name]
      : variable.levels.map((level) => `${variable.name}=${level}`),
  );
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
