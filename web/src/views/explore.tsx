import type { ScoreRow } from "@ratewise/core";
import type { Variant } from "@ratewise/core/rate";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { Ranked, State } from "../state.ts";
import { type Change, changesOf, sameShares } from "../what-if.ts";
import { Name, shownName } from "./name.tsx";
import { numberColumn } from "./number-column.ts";
import { percent } from "./number-text.ts";
import { variableColumn } from "./score-columns.tsx";
import { SortableTable, type TableColumn } from "./sortable-table.tsx";

const DEFAULT_VARIANT: Variant = "noise";

/** The formulas in use under the name of RATE, in a few words each. */
const variants: readonly (readonly [Variant, string])[] = [
  ["noise", "noise: adds the noise of a new response (as in the ranking)"],
  ["exact", "exact: the paper's equation"],
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
          This needs the effect sizes, which a result.json alone does not hold. Run the table here,
          or open a saved session.
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
        Suppose you knew that the effect of a variable is zero. Which others would matter then? Each
        is scored together with the one set to zero, so the shares are close and the order is what
        counts. A variable that rises adds something new; one that falls carried the same
        information. This is the second order centrality of the paper. Nothing is trained again.
      </p>
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label>
          Set to zero{" "}
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
            aria-label={`no longer set ${shownName(name)} to zero`}
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
            value={variant ?? DEFAULT_VARIANT}
            onChange={(event) => {
              const chosen = event.currentTarget.value as Variant;
              void actions.rankAgain(nullified, chosen === DEFAULT_VARIANT ? null : chosen);
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
        <p class="soft">Nothing has changed yet.</p>
      ) : (
        <Changes own={document.variables} ranked={ranked} actions={actions} />
      )}
    </section>
  );
}

function Changes({
  own,
  ranked,
  actions,
}: {
  own: readonly ScoreRow[];
  ranked: Ranked;
  actions: Actions;
}): JSX.Element {
  const { nullified, variant, rows } = ranked;
  const before = ranked.before ?? own;
  // With effects taken for zero both columns have the same formula; without, the formula is what changes.
  const [now, then] =
    nullified.length > 0 ? ["now", "before"] : [`by ${variant}`, `by ${DEFAULT_VARIANT}`];
  const columns: readonly TableColumn<Change>[] = [
    numberColumn(`rank ${now}`, ({ rank }) => rank, { none: "set to zero" }),
    variableColumn(actions),
    numberColumn(`RATE ${now}`, ({ rate }) => rate, { large: true, print: percent }),
    numberColumn(`RATE ${then}`, ({ rateBefore }) => rateBefore, { large: true, print: percent }),
    numberColumn(`rank ${then}`, ({ rankBefore }) => rankBefore),
    numberColumn("moved", ({ moved }) => moved, {
      large: true,
      none: "",
      print: (places) => (places === 0 ? "" : places > 0 ? `up ${places}` : `down ${-places}`),
    }),
  ];
  return (
    <>
      <Remarks ranked={ranked} own={own} />
      <SortableTable
        id="changes"
        label="How the others move"
        rows={changesOf(before, rows)}
        nameOf={({ name }) => name}
        columns={columns}
      />
    </>
  );
}

/** What is compared with what. */
function Remarks({ ranked, own }: { ranked: Ranked; own: readonly ScoreRow[] }): JSX.Element {
  const { nullified, variant, before, rows } = ranked;
  const byFormula = nullified.length > 0 ? before : rows;
  return (
    <>
      {variant !== null && byFormula && sameShares(own, byFormula) && (
        <p class="note" id="same-formula">
          The formulas {variant} and {DEFAULT_VARIANT} give the same shares here
          {variant === "exact" &&
            ", because with the noise of a new response the covariance has an inverse"}
          .
        </p>
      )}
      {nullified.length > 0 && (
        <p class="soft">
          The ranks before count only the variables that are left
          {variant !== null && `, and both columns are by the formula ${variant}`}.
        </p>
      )}
    </>
  );
}
