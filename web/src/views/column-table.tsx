import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { InspectedColumn } from "ratewise/page";
import type { Actions } from "../actions.ts";
import { namesIn } from "../column-groups.ts";
import type { State } from "../state.ts";
import { FileButton } from "./file-button.tsx";
import { Name, shownName } from "./name.tsx";
import { short } from "./number-text.ts";
import { SearchBox, ShowMore } from "./table-tools.tsx";

/** Rows that are drawn at once; more on request, so that the button below is not far. */
const STEP = 25;
/** Formats whose numbers may be codes of categories. */
const CODED = new Set(["text", "parquet"]);

/** Every column with its kind, its range and what is missing, and a tick for those that are used. */
export function ColumnTable({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings } = state;
  const { columns, rows } = state.columns!;
  const [wanted, setWanted] = useState("");
  const [most, setMost] = useState(STEP);
  const found = columns.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const remarks = columns.some(({ reason }) => reason !== null);
  const use = ({ name, reason }: InspectedColumn, used: boolean): void => {
    const without = (list: readonly string[]) => list.filter((other) => other !== name);
    const asked = settings.exclude.includes(name);
    const keep = used && reason !== null && !asked;
    void actions.choose(
      {
        exclude: used ? without(settings.exclude) : [...without(settings.exclude), name],
        keep: keep ? [...without(settings.keep), name] : without(settings.keep),
      },
      true,
    );
  };
  const all = (used: boolean): void => {
    const names = new Set(
      found.filter((column) => column.use !== "target").map(({ name }) => name),
    );
    const others = settings.exclude.filter((name) => !names.has(name));
    void actions.choose({ exclude: used ? others : [...others, ...names] }, true);
  };
  return (
    <>
      <p class="tools">
        <SearchBox id="column-search" value={wanted} onInput={setWanted} />
        <FileButton
          label="Leave out those in a file"
          class="plain"
          onFiles={async ([file]) => {
            const names = namesIn(await file.text(), columns);
            void actions.choose({ exclude: [...new Set([...settings.exclude, ...names])] }, true);
          }}
        />
        {wanted !== "" && (
          <>
            <span role="status">
              {found.length} of {columns.length}
            </span>
            <button type="button" class="plain" onClick={() => all(false)}>
              Leave these out
            </button>
            <button type="button" class="plain" onClick={() => all(true)}>
              Use these
            </button>
          </>
        )}
      </p>
      <section class="wide" aria-label="Columns">
        <table id="columns">
          <thead>
            <tr>
              <th scope="col">use</th>
              <th scope="col" class="stays">
                column
              </th>
              <th scope="col" class="n">
                missing
              </th>
              <th scope="col">kind</th>
              <th scope="col">values</th>
              {remarks && <th scope="col">remark</th>}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, most).map((column) => (
              <tr key={column.name}>
                <td>
                  {column.use === "target" ? (
                    "target"
                  ) : (
                    <input
                      type="checkbox"
                      aria-label={`use ${shownName(column.name)}`}
                      checked={column.use === "predictor"}
                      onChange={(event) => use(column, event.currentTarget.checked)}
                    />
                  )}
                </td>
                <td class="stays">
                  <Name text={column.name} />
                </td>
                <td class="n">{missingText(column.missing, rows)}</td>
                <td>
                  <Kind column={column} state={state} actions={actions} />
                </td>
                <td class={column.kind === "number" ? "range" : undefined}>{valuesText(column)}</td>
                {remarks && <td class="remark">{column.reason ?? ""}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ShowMore shown={most} total={found.length} onMore={() => setMost(most + 8 * STEP)} />
    </>
  );
}

/** Numbers or categories; numbers that are codes can be read as categories. */
function Kind({
  column: { name, kind, use },
  state,
  actions,
}: {
  column: InspectedColumn;
  state: State;
  actions: Actions;
}): JSX.Element {
  const { categories } = state.settings;
  const asked = categories.includes(name);
  const coded = CODED.has(state.columns!.format) && (kind === "number" || asked);
  if (!coded || use === "target") return <>{kind === "number" ? "numbers" : "categories"}</>;
  return (
    <select
      class="small"
      aria-label={`kind of ${shownName(name)}`}
      value={asked ? "categories" : "numbers"}
      onChange={(event) => {
        const others = categories.filter((other) => other !== name);
        const read = event.currentTarget.value === "categories" ? [...others, name] : others;
        void actions.choose({ categories: read }, true);
      }}
    >
      <option value="numbers">numbers</option>
      <option value="categories">categories</option>
    </select>
  );
}

function missingText(missing: number, rows: number): string {
  if (missing === 0) return "–";
  return `${missing.toLocaleString("en-US")} (${((100 * missing) / rows).toFixed(1)}%)`;
}

function valuesText({ kind, least, mean, greatest, levels, examples }: InspectedColumn): string {
  if (kind === "category") {
    const shown = examples.map((level) => shownName(level, 24)).join(", ");
    return `${levels} ${levels === 1 ? "level" : "levels"}: ${shown}${levels! > examples.length ? ", …" : ""}`;
  }
  if (least === null || greatest === null || mean === null) return "";
  // A mean that is next to nothing beside the range is zero to the eye.
  const centre = Math.abs(mean) < 5e-4 * (greatest - least) ? 0 : mean;
  return `${short(least)} to ${short(greatest)}, mean ${short(centre)}`;
}
