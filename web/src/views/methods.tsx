import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Figure } from "./figure.tsx";
import { Name } from "./name.tsx";
import { short } from "./number-text.ts";
import { SortableTable } from "./sortable-table.tsx";

/** Quick methods; the others train forests and lassos, and take longer. */
const QUICK = ["rate", "gradient-rate", "permutation", "linear", "correlation"];

/** What other methods say of the same network, and which ranking holds up when its favourites are shuffled. */
export function Methods({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { comparison, document } = state.explained!;
  const rerun = state.files.length > 0;
  return (
    <section aria-labelledby="methods-title">
      <h3 id="methods-title">Do other methods agree, and who is right?</h3>
      <p>
        Other methods rank the same variables for the same network. Then the shuffle test: the
        values of the variables that a method ranks first are shuffled among the rows, more and more
        of them, and the network predicts again. If the method is right, the score falls fast.
      </p>
      {rerun ? (
        <p class="buttons">
          <button
            type="button"
            class="button"
            id="compare-quick"
            onClick={() => void actions.compare(QUICK)}
          >
            Ask the quick ones
          </button>
          <button
            type="button"
            class="plain"
            id="compare-all"
            onClick={() => void actions.compare([])}
          >
            Ask all twelve (takes longer)
          </button>
        </p>
      ) : (
        comparison === null && (
          <p class="soft">That needs the rows, which a saved result does not hold.</p>
        )
      )}
      {comparison && (
        <>
          <h4>Which ranking holds up?</h4>
          <Figure name="shuffle" actions={actions}>
            The lower a line, the better the ranking; <em>random</em> shuffles in any order.
          </Figure>
          <SortableTable
            id="shuffle"
            label="Areas of the shuffle test"
            rows={comparison.shuffle.curves}
            nameOf={({ name }) => name}
            sortedBy={1}
            columns={[
              { title: "method", cell: ({ name }) => name, value: ({ name }) => name },
              {
                title: "mean score (lower is better)",
                numeric: true,
                cell: ({ area }) => short(area),
                value: ({ area }) => area,
              },
              {
                title: "standard error",
                numeric: true,
                cell: ({ areaStandardError }) => short(areaStandardError),
                value: ({ areaStandardError }) => areaStandardError,
              },
            ]}
          />
          <h4>How far do they agree?</h4>
          <Figure name="agreement" actions={actions}>
            Rank correlations: one means the same order, zero nothing in common.
          </Figure>
          <h4>Every variable's rank</h4>
          <SortableTable
            id="method-ranks"
            label="Ranks by every method"
            rows={comparison.variables}
            nameOf={({ name }) => name}
            sortedBy={1}
            columns={[
              {
                title: "variable",
                cell: ({ name }) => <Name text={name} most={60} />,
                value: ({ name }) => name,
              },
              ...comparison.methods.map(({ name: method }) => ({
                title: method,
                numeric: true,
                cell: (row: (typeof comparison.variables)[number]) => row.ranks[method] ?? "–",
                value: (row: (typeof comparison.variables)[number]) => row.ranks[method] ?? null,
              })),
            ]}
          />
        </>
      )}
      {!comparison && document.model.kind === "gp" && (
        <p class="soft">The comparison trains a network of its own.</p>
      )}
    </section>
  );
}
