import type { SplitRecord } from "@ratewise/core/explain";
import { printable } from "./printable.ts";

/** Results of 0.1 say nothing of how rows were held out: a share of them, by chance. */
type Split = SplitRecord | undefined;

/** What follows the networks and comes before the number of rows. */
export function trainedOn(split: Split): string {
  return split?.kind === "folds"
    ? `, each trained without one of ${split.folds} parts of`
    : " trained on";
}

/** The rows that the score is of, as the beginning of a sentence. */
export function triedOn(split: Split, rows: number): string {
  switch (split?.kind) {
    case "folds":
      return "On the part that it did not see";
    case "groups":
      return `On ${rows} rows of ${split.groups.test} other ${split.groups.test === 1 ? "group" : "groups"} (${printable(split.column)}), which it never saw`;
    case "time":
      return `On the ${rows} latest rows (${printable(split.column)} from ${printable(`${split.from}`)}), which it never saw`;
    case "file":
      return `On ${rows} rows of the test file`;
    default:
      return `On ${rows} rows it never saw`;
  }
}
