import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { Explained } from "../protocol.ts";
import type { State, ViewName } from "../state.ts";
import { Classes } from "./classes.tsx";
import { Effects } from "./effects.tsx";
import { Explore } from "./explore.tsx";
import { Figure } from "./figure.tsx";
import { Groups } from "./groups.tsx";
import { Methods } from "./methods.tsx";
import { Name } from "./name.tsx";
import { Overview } from "./overview.tsx";
import { Ranking } from "./ranking.tsx";
import { Save } from "./save.tsx";
import { VariablePage } from "./variable-page.tsx";

/** The views of a result; some are there only for results that have what they show. */
function viewsOf({ figures, document }: Explained): (readonly [ViewName, string])[] {
  const has = (name: Explained["figures"][number]): boolean => figures.includes(name);
  const views: (readonly [ViewName, string, boolean])[] = [
    ["overview", "Overview", true],
    ["ranking", "Ranking", true],
    ["effects", "Direction and shape", document.shapes.length > 0],
    ["classes", "Classes", document.classes !== null],
    ["groups", "Groups", has("groups")],
    ["image", "Image", has("pixels")],
    ["genome", "Genome", has("manhattan-rate")],
    ["explore", "What if", true],
    ["methods", "Other methods", document.model.kind !== "onnx"],
    ["save", "Save", true],
  ];
  return views.filter(([, , shown]) => shown).map(([name, title]) => [name, title]);
}

export function Results({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { view, variable, notes } = state;
  const explained = state.explained!;
  const { document } = explained;
  return (
    <>
      <h2 tabIndex={-1} class="result-title">
        {document.target === null ? (
          "What matters to the network?"
        ) : (
          <>
            What matters for “<Name text={document.target} />
            ”?
          </>
        )}
      </h2>
      {notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      <nav aria-label="Views of the result">
        <ul class="tabs">
          {viewsOf(explained).map(([name, title]) => (
            <li key={name}>
              <button
                type="button"
                aria-current={view === name && variable === null ? "page" : undefined}
                onClick={() => actions.show(name)}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {variable !== null ? (
        <VariablePage name={variable} state={state} actions={actions} />
      ) : (
        <View view={view} state={state} actions={actions} />
      )}
      <p class="buttons">
        {state.columns !== null && (
          <button type="button" class="plain" onClick={actions.back}>
            Change the choices
          </button>
        )}
        <button type="button" class="plain" onClick={actions.startOver}>
          Start over
        </button>
      </p>
    </>
  );
}

interface ViewProps {
  readonly state: State;
  readonly actions: Actions;
}

function View({ view, ...props }: ViewProps & { view: ViewName }): JSX.Element {
  switch (view) {
    case "overview":
      return <Overview {...props} />;
    case "ranking":
      return <Ranking {...props} />;
    case "effects":
      return <Effects {...props} />;
    case "classes":
      return <Classes {...props} />;
    case "groups":
      return <Groups {...props} />;
    case "image":
      return (
        <section aria-labelledby="image-title">
          <h3 id="image-title">Where in the image?</h3>
          <p>
            Every square is a pixel. The stronger its colour, the larger its share. Pixels that
            never change were left out.
          </p>
          <Figure name="pixels" actions={props.actions} />
        </section>
      );
    case "genome":
      return <Genome {...props} />;
    case "explore":
      return <Explore {...props} />;
    case "methods":
      return <Methods {...props} />;
    case "save":
      return <Save {...props} />;
    default:
      return view satisfies never;
  }
}

function Genome({ state, actions }: ViewProps): JSX.Element {
  return (
    <section aria-labelledby="genome-title">
      <h3 id="genome-title">Where on the genome?</h3>
      <p>
        Each dot is a variant. Variants that are inherited together share their RATE. Direct says
        which of them the network uses.
      </p>
      <Figure name="manhattan-rate" actions={actions} />
      {state.explained!.figures.includes("manhattan-direct") && (
        <Figure name="manhattan-direct" actions={actions} />
      )}
    </section>
  );
}
