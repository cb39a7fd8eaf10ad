import type { RecipeName } from "../../network/index.ts";

/** Units of the hidden layers of the networks that are tried, the smallest first. */
const SIZES = [
  [32, 16],
  [128, 64],
] as const;

/** The sizes asked for, or those to choose from. The paper has one. */
export function sizesToTry(
  recipe: RecipeName,
  hidden: readonly number[] | null,
): readonly (readonly number[])[] {
  if (hidden) return [hidden];
  switch (recipe) {
    case "paper":
      return SIZES.slice(0, 1);
    case "standard":
      return SIZES;
  }
  return recipe satisfies never;
}
