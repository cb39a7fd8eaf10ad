import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { shownName } from "./name.tsx";
import { SearchBox, ShowMore } from "./table-tools.tsx";

export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** What rows are sorted by; null goes last. */
  readonly value: (row: Row) => number | string | null;
  readonly numeric?: boolean;
  /** A first click puts large values on top. */
  readonly large?: boolean;
  /** Holds what the row is about, and stays in sight when a phone scrolls the rest. */
  readonly stays?: boolean;
  /** What the column says, where its title does not. */
  readonly means?: string;
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
const STEP = 50;
/** So few rows need no search. */
const FEW = 8;

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
      {rows.length > FEW && (
        <p class="tools">
          <SearchBox id={`${id}-search`} value={wanted} onInput={setWanted} />
          <span role="status">{text !== "" && `${found.length} of ${rows.length} found`}</span>
        </p>
      )}
      <section class="wide" aria-label={label}>
        <table id={id} class="ranking">
          <thead>
            <tr>
              {columns.map(({ title, numeric, large, stays }, at) => (
                <th
                  scope="col"
                  key={title}
                  class={styleOf(numeric, stays)}
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
                {columns.map(({ title, cell, numeric, stays }) => (
                  <td key={title} class={styleOf(numeric, stays)}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ShowMore shown={most} total={sorted.length} onMore={() => setMost(most + 2 * STEP)} />
      <Meanings columns={columns} />
    </>
  );
}

function Meanings<Row>({ columns }: Pick<TableProps<Row>, "columns">): JSX.Element | null {
  const told = columns.filter(({ means }) => means !== undefined);
  if (told.length === 0) return null;
  return (
    <details>
      <summary>What the columns say</summary>
      <dl class="meanings">
        {told.map(({ title, means }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function styleOf(numeric = false, stays = false): string | undefined {
  return numeric ? "n" : stays ? "stays" : undefined;
}

function compared(a: number | string | null, b: number | string | null, down: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return (a < b ? -1 : 1) * (down ? -1 : 1);
}
