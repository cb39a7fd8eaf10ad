import {
  type CompareDocument,
  type ComparedCurve,
  type ComparedRow,
  compareMethods,
  methodTable,
  methodTitle,
} from "@ratewise/core/explain";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Figure } from "./figure.tsx";
import { numberColumn } from "./number-column.ts";
import { short } from "./number-text.ts";
import { variableColumn } from "./score-columns.tsx";
import { SortableTable } from "./sortable-table.tsx";

const QUICK = compareMethods.filter((name) => methodTable[name].quick);
/** Settings tried at random for each forest and the like, and folds that judge them. */
const SEARCH = "10x3";

/** What the curve of a method goes by; the one that belongs to none shuffles in any order. */
function asks({ name }: ComparedCurve): string {
  return name === "random" ? "random order, for comparison" : methodTable[name].asks;
}

/** What other methods say of the same network, and which ranking holds up when its favourites are shuffled. */
export function Methods({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { comparison, document } = state.explained!;
  const [search, setSearch] = useState(false);
  const rerun = state.files.length > 0;
  return (
    <section aria-labelledby="methods-title">
      <h3 id="methods-title">Do other methods agree, and which ranking holds up?</h3>
      <p>
        Other methods rank the same variables for the same network. The shuffle test then takes the
        variables that a method ranks first and shuffles their values among the rows, one variable
        after another. Each time, the network predicts again. If the method is right, the score
        falls fast.
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
            onClick={() => void actions.compare([], search ? SEARCH : "")}
          >
            Ask all {compareMethods.length} (takes longer)
          </button>
          <label>
            <input
              type="checkbox"
              id="compare-search"
              checked={search}
              onChange={(event) => setSearch(event.currentTarget.checked)}
            />{" "}
            Try ten settings of each forest (much longer)
          </label>
        </p>
      ) : (
        comparison === null && (
          <p class="soft">This needs the rows, which a saved result does not hold.</p>
        )
      )}
      {comparison && (
        <>
          <h4>Which ranking holds up?</h4>
          <Figure name="shuffle" actions={actions}>
            One panel per method, the best first. Each shows its own line, those of the others
            behind it, and as a dashed line what shuffling in random order does. The faster a line
            falls, the better the ranking.
          </Figure>
          <SortableTable
            id="shuffle"
            label="Areas of the shuffle test"
            rows={comparison.shuffle.curves}
            nameOf={({ name }) => name}
            sortedBy={2}
            columns={[
              {
                title: "method",
                stays: true,
                cell: ({ name }) => methodTitle(name),
                value: ({ name }) => methodTitle(name),
              },
              {
                title: "goes by",
                cell: asks,
                value: asks,
              },
              numberColumn<ComparedCurve>("mean score, lower is better", ({ area }) => area, {
                print: short,
              }),
              numberColumn<ComparedCurve>(
                "standard error",
                ({ areaStandardError }) => areaStandardError,
                {
                  print: short,
                },
              ),
            ]}
          />
          <h4>How far do they agree?</h4>
          <Figure name="agreement" actions={actions}>
            Rank correlations: 1 means the same order, 0 nothing in common.
          </Figure>
          <Notes comparison={comparison} />
          <h4>Every variable's rank</h4>
          <SortableTable
            id="method-ranks"
            label="Ranks by every method"
            rows={comparison.variables}
            nameOf={({ name }) => name}
            sortedBy={1}
            columns={[
              variableColumn<ComparedRow>(actions),
              ...comparison.methods.map(({ name: method }) =>
                numberColumn<ComparedRow>(methodTitle(method), ({ ranks }) => ranks[method]),
              ),
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

/** What is to be said of single methods. */
function Notes({ comparison }: { comparison: CompareDocument }): JSX.Element | null {
  const told = comparison.diagnostics.filter(({ method }) => method !== undefined);
  if (told.length === 0) return null;
  return (
    <ul class="cautions">
      {told.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}
