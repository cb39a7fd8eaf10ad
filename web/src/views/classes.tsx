import type { ScoreRow } from "@ratewise/core";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { ResultDocument } from "../protocol.ts";
import type { State } from "../state.ts";
import { shownName } from "./name.tsx";
import { scoreColumns } from "./score-columns.tsx";
import { SortableTable } from "./sortable-table.tsx";

/** What matters for one class, or for telling two classes apart. */
export function Classes({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const questions = questionsOf(state.explained!.document);
  const [at, setAt] = useState(0);
  const { rows } = questions[at];
  return (
    <section aria-labelledby="classes-title">
      <h3 id="classes-title">Class by class</h3>
      <p>
        The variables that move with the model's output for one class, or with its choice between
        two: the <span class="rate">RATE</span> for that question alone.
      </p>
      <p class="tools">
        <label>
          Question{" "}
          <select
            id="class"
            value={`${at}`}
            onChange={(event) => setAt(Number(event.currentTarget.value))}
          >
            {questions.map(({ title }, index) => (
              <option key={title} value={`${index}`}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </p>
      <SortableTable
        key={at}
        id="class-ranking"
        label="All variables"
        rows={rows}
        nameOf={({ name }) => name}
        columns={scoreColumns(rows, actions)}
      />
    </section>
  );
}

interface Question {
  readonly title: string;
  readonly rows: readonly ScoreRow[];
}

function questionsOf({ classes, contrasts }: ResultDocument): Question[] {
  const quoted = (text: string): string => `“${shownName(text, 40)}”`;
  return [
    ...(classes ?? []).map(({ class: name, variables }) => ({
      title: `Is it ${quoted(name)}?`,
      rows: variables,
    })),
    ...(contrasts ?? []).map(({ between: [a, b], variables }) => ({
      title: `${quoted(a)} or ${quoted(b)}?`,
      rows: variables,
    })),
  ];
}
