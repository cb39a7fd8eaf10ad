import type { ScoreRow } from "@ratewise/core";
import type { Actions } from "../actions.ts";
import { numberColumn } from "./number-column.ts";
import { Share } from "./share.tsx";
import type { TableColumn } from "./sortable-table.tsx";
import { VariableLink } from "./variable-link.tsx";

/** The column of names that open their variable's page. */
export function variableColumn<Row extends { readonly name: string }>(
  actions: Actions,
): TableColumn<Row> {
  return {
    title: "variable",
    stays: true,
    cell: ({ name }) => <VariableLink name={name} actions={actions} />,
    value: ({ name }) => name,
  };
}

/** The columns that every ranking by RATE begins with. */
export function scoreColumns<Row extends ScoreRow>(
  rows: readonly Row[],
  actions: Actions,
): TableColumn<Row>[] {
  const most = rows.reduce((best, { rate }) => Math.max(best, rate ?? 0), 1e-12);
  return [
    numberColumn("rank", ({ rank }) => rank, { none: "" }),
    variableColumn(actions),
    numberColumn("RATE", ({ rate }) => rate, {
      large: true,
      cell: ({ rate }) => <Share value={rate} most={most} kind="rate" />,
    }),
  ];
}
