import { RatewiseError } from "../errors.ts";

/** Sets of columns that share none. */
export type Partition = readonly (readonly number[])[];

/** Each of p columns by itself. */
export function singletons(p: number): number[][] {
  return Array.from({ length: p }, (_, j) => [j]);
}

/** The groups, then every column that is in none by itself. Copies are exchanged whole groups at a time, so groups may share no column. */
export function completePartition(
  where: string,
  groups: Partition | undefined,
  p: number,
): Partition {
  if (!groups) return singletons(p);
  const owner = new Int32Array(p).fill(-1);
  groups.forEach((group, g) => {
    if (group.length === 0)
      throw new RatewiseError("domain", {
        in: where,
        what: `needs groups of at least one column, got none in group ${g}`,
      });
    for (const j of group) {
      if (!(Number.isInteger(j) && j >= 0 && j < p))
        throw new RatewiseError("unknown-name", {
          in: where,
          what: `needs columns from 0 to ${p - 1}, got ${j} in group ${g}`,
        });
      if (owner[j] >= 0)
        throw new RatewiseError("domain", {
          in: where,
          what: `needs groups that share no column, got column ${j} in groups ${owner[j]} and ${g}`,
          advice: "merge or trim them",
          column: j,
        });
      owner[j] = g;
    }
  });
  const rest = singletons(p).filter(([j]) => owner[j] < 0);
  return [...groups, ...rest];
}
