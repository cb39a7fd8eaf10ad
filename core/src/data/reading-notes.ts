import { type Diagnostic, diagnostic } from "../diagnostic.ts";
import type { Column } from "./table.ts";

/** Texts that are a number with a unit or a sign: 45 kg, $12.50, <5. */
const NUMBER_WITH_UNIT = /^[^\p{L}\d]{0,2}\d+(?:[.,]\d+)*\s?[^\d\s]{0,5}$/u;
/** A few levels such as 1st and 2nd are an honest category. */
const FEW_LEVELS = 5;

/** What somebody who knows the columns should hear about how they were read. */
export function readingNotes(columns: readonly Column[]): Diagnostic[] {
  const notes: Diagnostic[] = [];
  for (const column of columns) {
    const { name } = column;
    if (column.kind === "number") {
      if (column.notation === "percent")
        notes.push(
          diagnostic("read-as-percent", `"${name}" is written in percent: 45% is read as 45.`, {
            name,
          }),
        );
      continue;
    }
    const { levels } = column;
    if (levels.length > FEW_LEVELS && levels.every((level) => NUMBER_WITH_UNIT.test(level)))
      notes.push(
        diagnostic(
          "numbers-as-categories",
          `"${name}" is read as ${levels.length} categories, although its texts look like numbers ("${levels[0]}"); remove the units to use them as numbers.`,
          { name },
        ),
      );
  }
  return notes;
}
