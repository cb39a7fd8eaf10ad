import type { ExplainedVariable } from "@ratewise/core";
import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { ResultDocument } from "../protocol.ts";
import type { State } from "../state.ts";
import { Bar } from "./bar.tsx";
import { Name } from "./name.tsx";
import { percent, small } from "./number-text.ts";
import { SortableTable, type TableColumn } from "./sortable-table.tsx";

type Columns = readonly (TableColumn<ExplainedVariable> | false)[];

/** Every variable with both shares, how sure they are, and whom it stands in for. */
export function Ranking({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { document } = state.explained!;
  return (
    <section aria-labelledby="ranking-title">
      <h3 id="ranking-title">Which variables matter?</h3>
      <p>
        <span class="marginal">RATE</span> asks whether a variable goes along with what the model
        predicts; <span class="direct">direct</span>, whether the model uses the variable itself.
        Both are shares of the whole. A name opens the variable's own page.
      </p>
      <SortableTable
        id="variables"
        label="All variables"
        rows={document.variables}
        nameOf={({ name }) => name}
        columns={columnsFor(document, actions)}
      />
    </section>
  );
}

function columnsFor(
  { variables, shapes }: ResultDocument,
  actions: Actions,
): TableColumn<ExplainedVariable>[] {
  const any = (holds: (variable: ExplainedVariable) => boolean): boolean => variables.some(holds);
  const most = variables.reduce((best, { rate }) => Math.max(best, rate ?? 0), 1e-12);
  const mostDirect = variables.reduce((best, v) => Math.max(best, v.direct?.rate ?? 0), 1e-12);
  const directions = new Map(
    shapes.map(({ name, kind, curves }) => [
      name,
      kind === "category"
        ? "differs by level"
        : curves.length === 1
          ? curves[0].shape
          : "see shape",
    ]),
  );
  const columns: Columns = [
    { title: "rank", numeric: true, cell: ({ rank }) => rank, value: ({ rank }) => rank },
    {
      title: "variable",
      cell: ({ name }) => (
        <button type="button" class="text-button" onClick={() => actions.showVariable(name)}>
          <Name text={name} most={60} />
        </button>
      ),
      value: ({ name }) => name,
    },
    {
      title: "RATE",
      numeric: true,
      large: true,
      cell: ({ rate }) => (
        <>
          <Bar share={(rate ?? 0) / most} kind="marginal" />
          {rate === null ? "–" : percent(rate)}
        </>
      ),
      value: ({ rate }) => rate,
    },
    any(({ direct }) => direct !== null) && {
      title: "direct",
      numeric: true,
      large: true,
      cell: ({ direct }) => (
        <>
          <Bar share={(direct?.rate ?? 0) / mostDirect} kind="direct" />
          {direct === null ? "–" : percent(direct.rate)}
        </>
      ),
      value: ({ direct }) => direct?.rate ?? null,
    },
    any(({ direct }) => direct !== null) && {
      title: "direct rank",
      numeric: true,
      cell: ({ direct }) => direct?.rank ?? "–",
      value: ({ direct }) => direct?.rank ?? null,
    },
    any(({ rankInterval }) => rankInterval !== null) && {
      title: "rank interval",
      numeric: true,
      cell: ({ rankInterval }) => rankInterval && `${rankInterval[0]} to ${rankInterval[1]}`,
      value: ({ rankInterval }) => rankInterval?.[0] ?? null,
    },
    any(({ topK }) => topK !== null) && {
      title: "in the first",
      numeric: true,
      large: true,
      cell: ({ topK }) => topK !== null && percent(topK),
      value: ({ topK }) => topK,
    },
    any(({ selected }) => selected !== null) && {
      title: "selected",
      cell: ({ selected }) => (selected === null ? "" : selected ? "yes" : "no"),
      value: ({ selected }) => (selected === null ? null : selected ? 0 : 1),
    },
    any(({ pValue }) => pValue !== null) && {
      title: "p",
      numeric: true,
      cell: ({ pValue }) => pValue !== null && small(pValue),
      value: ({ pValue }) => pValue,
    },
    any(({ qValue }) => qValue !== null) && {
      title: "q",
      numeric: true,
      cell: ({ qValue }) => qValue !== null && small(qValue),
      value: ({ qValue }) => qValue,
    },
    shapes.length > 0 && {
      title: "direction",
      cell: ({ name }) => directions.get(name) ?? "",
      value: ({ name }) => directions.get(name) ?? null,
    },
    any(({ standInFor }) => standInFor !== null) && {
      title: "stands in for",
      cell: ({ standInFor }) => standInFor !== null && <Name text={standInFor} most={40} />,
      value: ({ standInFor }) => standInFor,
    },
  ];
  return columns.filter((column) => column !== false);
}
