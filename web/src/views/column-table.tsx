import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { InspectedColumn } from "ratewise/page";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Name, shownName } from "./name.tsx";

/** Rows that are drawn at once; more on request, so that the page stays quick. */
const STEP = 60;

/** Every column with its kind, its range and what is missing, and a tick for those that are used. */
export function ColumnTable({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings } = state;
  const { columns, rows } = state.columns!;
  const [wanted, setWanted] = useState("");
  const [most, setMost] = useState(STEP);
  const found = columns.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
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
        <label>
          Search{" "}
          <input
            type="search"
            id="column-search"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
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
              <th scope="col">column</th>
              <th scope="col">kind</th>
              <th scope="col" class="n">
                missing
              </th>
              <th scope="col">values</th>
              <th scope="col">remark</th>
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
                <td>
                  <Name text={column.name} />
                </td>
                <td>{column.kind === "number" ? "numbers" : "categories"}</td>
                <td class="n">{missingText(column.missing, rows)}</td>
                <td>{valuesText(column)}</td>
                <td>{column.reason ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {found.length > most && (
        <button type="button" class="plain" onClick={() => setMost(most + 5 * STEP)}>
          Show more of {found.length.toLocaleString("en-US")}
        </button>
      )}
    </>
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
  const short = (value: number): string => `${Number(value.toPrecision(4))}`;
  return `${short(least)} to ${short(greatest)}, mean ${short(mean)}`;
}
