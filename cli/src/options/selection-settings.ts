import type { SelectionOptions } from "@ratewise/core/explain";
import { selectionOptions } from "./table/selection.ts";
import { settingsOf, type Values } from "./table.ts";

type SelectionValues = Partial<Pick<Values<"explain">, (typeof selectionOptions)[number]["name"]>>;

/** What is to be selected, as the library takes it. */
export function selectionSettings(
  values: SelectionValues,
): Pick<SelectionOptions, "select" | "families"> {
  const { select: fdr, by, families, ...how } = settingsOf(selectionOptions, values);
  if (fdr === undefined || by === undefined) return {};
  return { select: { fdr, by, ...how }, ...(families !== undefined && { families }) };
}
