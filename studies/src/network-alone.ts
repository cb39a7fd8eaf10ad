import type { Recipe } from "@ratewise/core/network";

/** The recipe as the studies recorded it: no linear part, and one split of the rows however few they are. */
export const networkAlone: Partial<Recipe> = { linear: false, foldedRows: 0 };
