import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import { saveBlob } from "../save-blob.ts";
import type { State } from "../state.ts";

/** What each file is for. */
const purposes: Readonly<Record<string, string>> = {
  "report.html": "a page that explains it all, to read, print or send on",
  "importance.csv": "the ranking as a table",
  "importance.parquet": "the ranking for other programs",
  "importance.regenie": "the ranking as REGENIE writes results",
  "result.json": "everything, as the command writes it",
  "model.ratewise":
    "the trained network: the command predicts new rows with it, and so does this page",
  "comparison.html": "the comparison of methods as a page",
  "comparison.json": "the comparison of methods, as the command writes it",
  "result.ratewise-session": "to go on here another time; holds no rows of the table",
};

/** Files to save, and the command that gives the same result. */
export function Save({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { files, document } = state.explained!;
  const [error, setError] = useState("");
  const save = async (name: string): Promise<void> => {
    try {
      saveBlob(await actions.file(name), name);
      setError("");
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  const figures = files.filter((name) => name.endsWith(".svg"));
  const { command } = document.options as { readonly command?: string };
  return (
    <section aria-labelledby="save-title">
      <h3 id="save-title">Save</h3>
      {error !== "" && (
        <p class="caution" role="alert">
          {error}
        </p>
      )}
      <ul class="saves">
        {files
          .filter((name) => !name.endsWith(".svg"))
          .map((name) => (
            <li key={name}>
              <button type="button" class="plain" data-file={name} onClick={() => void save(name)}>
                {name}
              </button>{" "}
              <span class="soft">{purposes[name] ?? ""}</span>
            </li>
          ))}
      </ul>
      <h4>Figures</h4>
      <p class="tools">
        {figures.map((name) => (
          <button
            type="button"
            class="plain"
            key={name}
            data-file={name}
            onClick={() => void save(name)}
          >
            {name}
          </button>
        ))}
      </p>
      {command !== undefined && (
        <>
          <h4>The same on a command line</h4>
          <pre id="command">{command}</pre>
          <p class="soft">
            Seed {document.seed}, engine {document.engine}, version {document.version}: the command
            gives the same digits.
          </p>
        </>
      )}
    </section>
  );
}
