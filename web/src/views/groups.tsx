import type { ExplainedGroup } from "@ratewise/core/explain";
import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Figure } from "./figure.tsx";
import { Name } from "./name.tsx";
import { numberColumn } from "./number-column.ts";
import { percent, small } from "./number-text.ts";
import { SortableTable, type TableColumn } from "./sortable-table.tsx";

/** Groups of variables, each ranked as one. */
export function Groups({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { groups } = state.explained!.document;
  const asked = groups.some(({ selected }) => selected !== null);
  const columns: readonly (TableColumn<ExplainedGroup> | false)[] = [
    numberColumn("rank", ({ rank }) => rank, { none: "" }),
    {
      title: "group",
      stays: true,
      cell: ({ name }) => <Name text={name} most={60} />,
      value: ({ name }) => name,
    },
    numberColumn("variables", ({ size }) => size),
    numberColumn("RATE", ({ rate }) => rate, { large: true, print: percent }),
    numberColumn("direct", ({ direct }) => direct?.rate, { large: true, print: percent }),
    asked && {
      title: "selected",
      cell: ({ selected }) => (selected === null ? "" : selected ? "yes" : "no"),
      value: ({ selected }) => (selected ? 0 : 1),
    },
    asked && numberColumn("q", ({ qValue }) => qValue, { none: "", print: small }),
  ];
  return (
    <section aria-labelledby="groups-title">
      <h3 id="groups-title">Which groups matter?</h3>
      <p>
        The shares of these groups add up to 100%. They are not the sums of the members' shares,
        because what the members do together counts once.
      </p>
      <Figure name="groups" actions={actions} />
      <SortableTable
        id="groups"
        label="All groups"
        rows={groups}
        nameOf={({ name }) => name}
        columns={columns.filter((column) => column !== false)}
      />
    </section>
  );
}
