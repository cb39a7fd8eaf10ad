import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import { saveBlob } from "../save-blob.ts";

const SHOWN = 20;

/** Predictions of a saved model: the first rows, and all of them as CSV. */
export function Predictions({ csv, actions }: { csv: string; actions: Actions }): JSX.Element {
  const lines = csv.trimEnd().split("\n");
  return (
    <section aria-labelledby="predictions-title">
      <h2 id="predictions-title" tabIndex={-1}>
        Predictions
      </h2>
      <p>
        {(lines.length - 1).toLocaleString("en-US")} rows
        {lines.length > SHOWN + 1 && `; the first ${SHOWN}`}:
      </p>
      <pre>{lines.slice(0, SHOWN + 1).join("\n")}</pre>
      <p class="buttons">
        <button
          type="button"
          class="button"
          onClick={() => saveBlob(new Blob([csv], { type: "text/csv" }), "predictions.csv")}
        >
          Save predictions.csv
        </button>
        <button type="button" class="plain" onClick={actions.startOver}>
          Start over
        </button>
      </p>
    </section>
  );
}
