import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { ColumnTable } from "./column-table.tsx";
import { FileButton } from "./file-button.tsx";
import { GroupEditor } from "./group-editor.tsx";
import { Name } from "./name.tsx";
import { RunOptions } from "./run-options.tsx";
import { TargetChooser } from "./target-chooser.tsx";
import { TargetKind } from "./target-kind.tsx";

/** Said where the kind of target is chosen. */
const KIND_OF_TARGET = ["target-taken-as-classes", "target-taken-as-numbers"];

/** What was read, and everything that can be chosen before a run. */
export function Columns({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const columns = state.columns!;
  const { settings } = state;
  const used = columns.columns.filter(({ use }) => use === "predictor").length;
  const chosen =
    settings.target !== "" || columns.format === "plink" || columns.format === "libsvm";
  const ready = settings.network !== "" || (chosen && used >= 2);
  return (
    <>
      <section aria-labelledby="data-title">
        <h2 id="data-title" tabIndex={-1}>
          <Name text={settings.data} />
        </h2>
        <p id="size">
          {count(columns.rows)} rows, {count(columns.columns.length)} columns
          {columns.complete < columns.rows && `; ${count(columns.complete)} rows have every value`}.{" "}
          {settings.network !== "" && (
            <>
              With the network <Name text={settings.network} />.
            </>
          )}
        </p>
        {columns.diagnostics
          .filter(({ code }) => !KIND_OF_TARGET.includes(code))
          .map(({ message }) => (
            <p class="note" key={message}>
              {message}
            </p>
          ))}
        {state.notes.map((note) => (
          <p class="note" role="status" key={note}>
            {note}
          </p>
        ))}
      </section>
      <section aria-labelledby="target-title">
        <h2 id="target-title">What should be predicted?</h2>
        <TargetChooser state={state} actions={actions} />
        {settings.network === "" && chosen && <TargetKind state={state} actions={actions} />}
      </section>
      <section aria-labelledby="columns-title">
        <h2 id="columns-title">From which columns?</h2>
        <ColumnTable state={state} actions={actions} />
      </section>
      <GroupEditor state={state} actions={actions} />
      <RunOptions state={state} actions={actions} />
      <p class="buttons run">
        <button
          type="button"
          class="button"
          id="run"
          disabled={!ready}
          onClick={() => void actions.run()}
        >
          {settings.network === "" ? "Train and explain" : "Explain the network"}
        </button>
        <FileButton multiple label="Add a file" onFiles={(files) => void actions.open(files)} />
        <button type="button" class="plain" onClick={actions.startOver}>
          Start over
        </button>
      </p>
      {!ready && (
        <p class="soft" role="status">
          Choose a column to predict, with at least two others to predict it from.
        </p>
      )}
    </>
  );
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
