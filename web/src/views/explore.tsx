import type { ScoreRow, Variant } from "@ratewise/core";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { Ranked, State } from "../state.ts";
import { Name, shownName } from "./name.tsx";
import { percent } from "./number-text.ts";
import { variableColumn } from "./score-columns.tsx";
import { SortableTable, type TableColumn } from "./sortable-table.tsx";

/** The formulas in use under the name of RATE, in a few words each. */
const variants: readonly (readonly [Variant, string])[] = [
  ["noise", "noise: with the noise of a new response (default)"],
  ["exact", "exact: needs as many hidden units as variables, or noise"],
  ["pseudo-inverse", "pseudo-inverse: without noise"],
  ["r-2020", "r-2020: as the paper's R code computed it"],
  ["published", "published: as the paper's Python code computed it"],
];

/** Takes effects for zero, or another formula, and shows how the others move. */
export function Explore({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { document, rankable } = state.explained!;
  const { ranked } = state;
  const [wanted, setWanted] = useState("");
  if (!rankable)
    return (
      <section aria-labelledby="explore-title">
        <h3 id="explore-title">What if?</h3>
        <p>
          This result does not hold the effect sizes that would be needed: it is a result.json by
          itself. Run the table here, or open a saved session.
        </p>
      </section>
    );
  const nullified = ranked?.nullified ?? [];
  const variant = ranked?.variant ?? null;
  const names = document.variables.map(({ name }) => name);
  const add = (): void => {
    if (names.includes(wanted) && !nullified.includes(wanted))
      void actions.rankAgain([...nullified, wanted], variant);
    setWanted("");
  };
  return (
    <section aria-labelledby="explore-title">
      <h3 id="explore-title">What if?</h3>
      <p>
        Suppose that the effect of a variable were known to be zero: which others would matter then?
        Each is scored together with the one taken for zero, so the shares lie close and the order
        is what counts: a variable that rises adds to it, one that falls carried the same news. This
        is the second order centrality of the paper; nothing is trained again.
      </p>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label>
          Take for zero{" "}
          <input
            type="text"
            id="nullify-name"
            list="variable-names"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
        <datalist id="variable-names">
          {names.slice(0, 300).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <button type="submit" class="plain" disabled={!names.includes(wanted)}>
          Add
        </button>
        {nullified.map((name) => (
          <button
            type="button"
            class="plain chip"
            key={name}
            aria-label={`no longer take ${shownName(name)} for zero`}
            onClick={() =>
              void actions.rankAgain(
                nullified.filter((other) => other !== name),
                variant,
              )
            }
          >
            <Name text={name} most={30} /> ✕
          </button>
        ))}
      </form>
      <p class="tools">
        <label>
          Formula{" "}
          <select
            id="variant"
            value={variant ?? "noise"}
            onChange={(event) => {
              const chosen = event.currentTarget.value as Variant;
              void actions.rankAgain(nullified, chosen === "noise" ? null : chosen);
            }}
          >
            {variants.map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </p>
      {ranked === null ? (
        <p class="soft">Nothing is changed yet.</p>
      ) : (
        <Changes before={document.variables} ranked={ranked} actions={actions} />
      )}
    </section>
  );
}

interface Change {
  readonly name: string;
  readonly before: ScoreRow;
  readonly after: ScoreRow;
}

function Changes({
  before,
  ranked,
  actions,
}: {
  before: readonly ScoreRow[];
  ranked: Ranked;
  actions: Actions;
}): JSX.Element {
  const rows = ranked.rows.map(
    (after, j): Change => ({ name: after.name, before: before[j], after }),
  );
  const moved = ({ before: { rank }, after }: Change): number | null =>
    rank === null || after.rank === null ? null : rank - after.rank;
  const columns: readonly TableColumn<Change>[] = [
    {
      title: "rank now",
      numeric: true,
      cell: ({ after }) => after.rank ?? "taken for zero",
      value: ({ after }) => after.rank,
    },
    variableColumn(actions),
    {
      title: "RATE now",
      numeric: true,
      large: true,
      cell: ({ after }) => (after.rate === null ? "–" : percent(after.rate)),
      value: ({ after }) => after.rate,
    },
    {
      title: "RATE before",
      numeric: true,
      large: true,
      cell: (row) => (row.before.rate === null ? "–" : percent(row.before.rate)),
      value: (row) => row.before.rate,
    },
    {
      title: "rank before",
      numeric: true,
      cell: (row) => row.before.rank ?? "–",
      value: (row) => row.before.rank,
    },
    {
      title: "moved",
      numeric: true,
      large: true,
      cell: (row) => {
        const by = moved(row);
        return by === null || by === 0 ? "" : by > 0 ? `up ${by}` : `down ${-by}`;
      },
      value: moved,
    },
  ];
  return (
    <SortableTable
      id="changes"
      label="How the others move"
      rows={rows}
      nameOf={({ name }) => name}
      columns={columns}
    />
  );
}
