import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { Settings } from "../settings.ts";
import type { State } from "../state.ts";

/** Whether the target is a number or a class: as its values have it, or as a person knows better. */
export function TargetKind({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { settings, columns } = state;
  const { task, target, diagnostics } = columns!;
  const found = task === null ? "" : `, here ${task === "regression" ? "numbers" : "classes"}`;
  const kind = columns!.columns.find(({ name }) => name === target)?.kind;
  return (
    <>
      <p>
        <label>
          Predicted as{" "}
          <select
            id="task"
            value={settings.task}
            onChange={(event) =>
              void actions.choose({ task: event.currentTarget.value as Settings["task"] })
            }
          >
            <option value="">what its values are{found}</option>
            <option value="regression">numbers</option>
            <option value="classification">classes</option>
          </select>
        </label>
      </p>
      {settings.task === "" && task === "classification" && kind === "number" && (
        <p class="note" id="coded">
          A class or a number? Its few values are taken for codes of classes. If they are amounts or
          counts, choose numbers.
        </p>
      )}
      {settings.task === "" &&
        diagnostics.some(({ code }) => code === "target-taken-as-numbers") && (
          <p class="note" id="counted">
            A class or a number? Its few whole numbers are taken for amounts, such as counts. If
            they are codes of classes, choose classes.
          </p>
        )}
    </>
  );
}
