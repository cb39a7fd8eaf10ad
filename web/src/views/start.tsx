import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { ExampleName } from "../examples/example.ts";
import type { State } from "../state.ts";
import { FileButton } from "./file-button.tsx";

const examples: readonly (readonly [ExampleName, string, string])[] = [
  ["table", "A simulated trial", "1,500 patients, 15 columns: numbers, a category, missing values"],
  ["digits", "Drawn digits", "1,200 images of threes and eights: which pixels tell them apart?"],
  ["genotypes", "Simulated genotypes", "1,000 people, 300 variants on five chromosomes"],
  ["network", "A trained network", "An ONNX file with the rows it takes"],
];

/** Where everything begins: drop files, pick them, or take an example. */
export function Start({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  return (
    <>
      {state.interrupted !== null && (
        <p class="caution" role="status">
          You left the page while it worked on {state.interrupted}. Nothing of that run was saved,
          and a page cannot reopen a file by itself. Please drop it again.
        </p>
      )}
      {state.notes.map((note) => (
        <p class="note" role="status" key={note}>
          {note}
        </p>
      ))}
      <ReadAgain state={state} actions={actions} />
      <section aria-labelledby="drop-title" class="drop">
        <h2 id="drop-title" tabIndex={-1}>
          Drop a file
        </h2>
        <p>
          A table (CSV, TSV, Parquet, NumPy, LIBSVM), genotypes (.bed, .bim and .fam together), or a
          trained network (.onnx) with rows. Also a saved session, or the result.json of the
          command.
        </p>
        <FileButton multiple label="Choose files" onFiles={(files) => void actions.open(files)} />
      </section>
      <section aria-labelledby="examples-title">
        <h2 id="examples-title">Or try an example</h2>
        <ul class="cards">
          {examples.map(([name, title, words]) => (
            <li key={name}>
              <button type="button" class="card" onClick={() => void actions.example(name)}>
                <strong>{title}</strong>
                <span>{words}</span>
              </button>
            </li>
          ))}
        </ul>
        <p class="soft">This page makes the examples itself. They are the same for everybody.</p>
      </section>
      <section aria-labelledby="what-title">
        <h2 id="what-title">What it does</h2>
        <p>
          It trains a Bayesian neural network to predict one column from the others. Then it says
          which columns move with the prediction (<span class="rate">RATE</span>), which the network
          really uses (<span class="direct">direct</span>), which only stand in for another one, how
          sure all of this is, and how good the network is on rows it never saw.
        </p>
      </section>
    </>
  );
}

/** Choices that a message about the last file asks for. */
function ReadAgain({ state, actions }: { state: State; actions: Actions }): JSX.Element | null {
  const { error, remedies, unread } = state;
  const [columns, setColumns] = useState("");
  const comma = remedies.includes("decimalComma");
  if (error === null || unread === null || !(comma || remedies.includes("categories"))) return null;
  return (
    <form
      class="tools"
      id="read-again"
      onSubmit={(event) => {
        event.preventDefault();
        const categories = columns
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "");
        void actions.readAgain({ categories: [...unread.categories, ...categories] });
      }}
    >
      {comma && !unread.options["decimal-comma"] && (
        <button
          type="button"
          class="button"
          onClick={() =>
            void actions.readAgain({ options: { ...unread.options, "decimal-comma": true } })
          }
        >
          Read again: decimals are written with a comma
        </button>
      )}
      <label>
        or take as categories the column{" "}
        <input
          type="text"
          value={columns}
          onInput={(event) => setColumns(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="plain" disabled={columns.trim() === ""}>
        Read again
      </button>
    </form>
  );
}
