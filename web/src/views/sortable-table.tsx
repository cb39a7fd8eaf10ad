import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { shownName } from "./name.tsx";

export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** What rows are sorted by; null goes last. */
  readonly value: (row: Row) => number | string | null;
  readonly numeric?: boolean;
  /** A first click puts large values on top. */
  readonly large?: boolean;
}

interface TableProps<Row> {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly TableColumn<Row>[];
  readonly nameOf: (row: Row) => string;
  /** The column that it is sorted by at first, default the first. */
  readonly sortedBy?: number;
}

/** Rows drawn at once. */
const STEP = 100;

/** A table that sorts by its headings, can be searched by name, and draws no more rows than are looked at. */
export function SortableTable<Row>(props: TableProps<Row>): JSX.Element {
  const { id, label, rows, columns, nameOf, sortedBy = 0 } = props;
  const [order, setOrder] = useState({ by: sortedBy, down: false });
  const [wanted, setWanted] = useState("");
  const [most, setMost] = useState(STEP);
  const text = wanted.trim().toLowerCase();
  const found = rows.filter((row) => nameOf(row).toLowerCase().includes(text));
  const { value } = columns[Math.min(order.by, columns.length - 1)];
  const sorted = [...found].sort((a, b) => compared(value(a), value(b), order.down));
  return (
    <>
      <p class="tools">
        <label>
          Search{" "}
          <input
            type="search"
            id={`${id}-search`}
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
        <span role="status">{text !== "" && `${found.length} of ${rows.length} shown`}</span>
      </p>
      <section class="wide" aria-label={label}>
        <table id={id} class="ranking">
          <thead>
            <tr>
              {columns.map(({ title, numeric, large }, at) => (
                <th
                  scope="col"
                  key={title}
                  class={numeric ? "n" : undefined}
                  aria-sort={
                    order.by === at ? (order.down ? "descending" : "ascending") : undefined
                  }
                >
                  <button
                    type="button"
                    onClick={() =>
                      setOrder({ by: at, down: order.by === at ? !order.down : large === true })
                    }
                  >
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, most).map((row) => (
              <tr key={nameOf(row)} data-name={shownName(nameOf(row))}>
                {columns.map(({ title, cell, numeric }) => (
                  <td key={title} class={numeric ? "n" : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {sorted.length > most && (
        <button type="button" class="plain" onClick={() => setMost(most + 2 * STEP)}>
          Show more of {sorted.length.toLocaleString("en-US")}
        </button>
      )}
    </>
  );
}

function compared(a: number | string | null, b: number | string | null, down: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return (a < b ? -1 : 1) * (down ? -1 : 1);
}
