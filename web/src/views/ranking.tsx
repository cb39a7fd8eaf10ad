import { diagnosticOf } from "@ratewise/core/diagnostic";
import type { ExplainedVariable } from "@ratewise/core/explain";
import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { Explained } from "../protocol.ts";
import type { State } from "../state.ts";
import { effectUnit, predictionOf } from "./effect-unit.ts";
import { Name } from "./name.tsx";
import { numberColumn } from "./number-column.ts";
import { percent, signed, small, spread } from "./number-text.ts";
import { scoreColumns } from "./score-columns.tsx";
import { Share } from "./share.tsx";
import { SortableTable, type TableColumn } from "./sortable-table.tsx";

type Columns = readonly (TableColumn<ExplainedVariable> | false)[];

/** Every variable with both shares, how sure they are, and whom it stands in for. */
export function Ranking({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { document, predicted } = state.explained!;
  return (
    <section aria-labelledby="ranking-title">
      <h3 id="ranking-title">Which variables matter?</h3>
      <p>
        <span class="rate">RATE</span> asks whether a variable moves with the model's predictions;{" "}
        <span class="direct">direct</span> asks whether the model uses the variable itself. Each
        adds up to 100% over all variables.{" "}
        {document.variables.some(({ mean }) => mean !== null) &&
          `Effects are in ${effectUnit(predicted)}, for one standard deviation of the variable. `}
        Click a name for the variable's own page.
      </p>
      <SortableTable
        id="variables"
        label="All variables"
        rows={document.variables}
        nameOf={({ name }) => name}
        columns={columnsFor(state.explained!, actions)}
      />
    </section>
  );
}

function columnsFor(
  { document, predicted }: Explained,
  actions: Actions,
): TableColumn<ExplainedVariable>[] {
  const { variables, shapes, diagnostics } = document;
  const any = (holds: (variable: ExplainedVariable) => boolean): boolean => variables.some(holds);
  const mostDirect = variables.reduce((best, v) => Math.max(best, v.direct?.rate ?? 0), 1e-12);
  const directions = new Map(
    shapes.map(({ name, kind, curves }) => [
      name,
      kind === "category" ? "by level" : curves.length === 1 ? curves[0].shape : "see shape",
    ]),
  );
  const top = diagnosticOf(diagnostics, "stability")?.top;
  const columns: Columns = [
    ...scoreColumns(variables, actions),
    any(({ direct }) => direct !== null) &&
      numberColumn("direct", ({ direct }) => direct?.rate, {
        large: true,
        cell: ({ direct }) => (
          <Share value={direct?.rate ?? null} most={mostDirect} kind="direct" />
        ),
      }),
    any(({ direct }) => direct !== null) &&
      numberColumn("direct rank", ({ direct }) => direct?.rank),
    any(({ standInFor }) => standInFor !== null) && {
      title: "stands in for",
      cell: ({ standInFor }) => standInFor !== null && <Name text={standInFor} most={40} />,
      value: ({ standInFor }) => standInFor,
      means:
        "the variable moves with the prediction only because it moves with that one, which the network uses",
    },
    shapes.length > 0 && {
      title: "changed alone",
      cell: ({ name }) => directions.get(name) ?? "",
      value: ({ name }) => directions.get(name) ?? null,
      means: `what ${predictionOf(predicted)} does when only this variable grows; computed for the leading ones. If it depends on others, it rises in some rows and falls in others`,
    },
    any(({ rankInterval }) => rankInterval !== null) &&
      numberColumn("rank interval", ({ rankInterval }) => rankInterval?.[0], {
        cell: ({ rankInterval }) => rankInterval && `${rankInterval[0]}–${rankInterval[1]}`,
        means: "the ranks between which it lies with 90% probability",
      }),
    any(({ topK }) => topK !== null) &&
      numberColumn(`in\u00a0the first\u00a0${top ?? ""}`.trim(), ({ topK }) => topK, {
        large: true,
        none: "",
        print: percent,
        means: "the probability that it belongs there",
      }),
    any(({ selected }) => selected !== null) && {
      title: "selected",
      cell: ({ selected }) => (selected === null ? "" : selected ? "yes" : "no"),
      value: ({ selected }) => (selected === null ? null : selected ? 0 : 1),
      means: "whether it may be called a finding, at the false discovery rate you asked for",
    },
    any(({ pValue }) => pValue !== null) &&
      numberColumn("p", ({ pValue }) => pValue, {
        none: "",
        print: small,
        means: "how often a share this large would occur if nothing were related to the target",
      }),
    any(({ qValue }) => qValue !== null) &&
      numberColumn("q", ({ qValue }) => qValue, {
        none: "",
        print: small,
        means: "the smallest false discovery rate at which it would be selected",
      }),
    any(({ mean }) => mean !== null) &&
      numberColumn("effect", ({ mean }) => mean, {
        large: true,
        cell: ({ mean, sd }) => mean !== null && `${signed(mean)} ± ${spread(sd!)}`,
        means: `how much higher the prediction is, in ${effectUnit(predicted)}, when the variable is one standard deviation higher and the others move as they do in the table; ± one standard deviation (last layer only)`,
      }),
  ];
  return columns.filter((column) => column !== false);
}
