import { shapeError } from "../errors.ts";

/** The names given, or x1 … xp. */
export function variableNames(
  where: string,
  p: number,
  names: readonly string[] | undefined,
): readonly string[] {
  if (names === undefined) return Array.from({ length: p }, (_, j) => `x${j + 1}`);
  if (names.length !== p)
    throw shapeError(where, `${p} names, one per variable`, `${names.length}`);
  return names;
}
