import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { FigureName } from "../protocol.ts";
import { saveBlob } from "../save-blob.ts";
import type { State } from "../state.ts";
import { saveFigure } from "./figure.tsx";
import { shownName } from "./name.tsx";

/** What each file is for. */
const purposes: Readonly<Record<string, string>> = {
  "report.html": "a page that explains everything, to read, print or send",
  "importance.csv": "the ranking as a table",
  "importance.parquet": "the ranking for other programs",
  "importance.regenie": "the ranking as REGENIE writes results",
  "result.json": "everything, as the command writes it",
  "model.ratewise":
    "the trained network: the command predicts new rows with it, and so does this page",
  "comparison.html": "the comparison of methods as a page",
  "comparison.json": "the comparison of methods, as the command writes it",
  "groups.json": "the groups made here, for the command",
  "result.ratewise-session": "to continue here another time; holds no rows of the table",
};

const titles: Readonly<Partial<Record<FigureName, string>>> = {
  importance: "the leading variables",
  quality: "predictions on rows the network never saw",
  groups: "the leading groups",
  pixels: "shares of the pixels",
  "manhattan-rate": "RATE along the genome",
  "manhattan-direct": "direct share along the genome",
  agreement: "how far methods agree",
  shuffle: "the shuffle test",
  architecture: "the network",
};

function titleOf(name: FigureName, shapes: readonly { readonly name: string }[]): string {
  const shape = /^shape-(\d+)$/.exec(name);
  return shape
    ? `shape of ${shownName(shapes[Number(shape[1]) - 1].name, 60)}`
    : (titles[name] ?? name);
}

/** Files to save, and the command that gives the same result. */
export function Save({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { files, figures, document } = state.explained!;
  const [error, setError] = useState("");
  const save = async (name: string): Promise<void> => saveBlob(await actions.file(name), name);
  const trying = async (saving: Promise<void>): Promise<void> => {
    setError("");
    await saving.catch((failure: Error) => setError(failure.message));
  };
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
        {files.map((name) => (
          <li key={name}>
            <button
              type="button"
              class="plain"
              data-file={name}
              onClick={() => void trying(save(name))}
            >
              {name}
            </button>{" "}
            <span class="soft">{purposes[name] ?? ""}</span>
          </li>
        ))}
      </ul>
      <h4>Figures</h4>
      <ul class="saves figures">
        {figures.map((name) => (
          <li key={name}>
            {(["svg", "png"] as const).map((ending) => (
              <button
                type="button"
                class="plain"
                key={ending}
                data-file={`${name}.${ending}`}
                aria-label={`${name}.${ending}`}
                onClick={() => void trying(saveFigure(name, ending, actions))}
              >
                {ending.toUpperCase()}
              </button>
            ))}{" "}
            <span class="soft">{titleOf(name, document.shapes)}</span>
          </li>
        ))}
      </ul>
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
