import type { ScoreRow } from "@ratewise/core";
import type { Actions } from "../actions.ts";
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
    { title: "rank", numeric: true, cell: ({ rank }) => rank, value: ({ rank }) => rank },
    variableColumn(actions),
    {
      title: "RATE",
      numeric: true,
      large: true,
      cell: ({ rate }) => <Share value={rate} most={most} kind="rate" />,
      value: ({ rate }) => rate,
    },
  ];
}
