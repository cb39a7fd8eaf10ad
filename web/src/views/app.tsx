import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Actions } from "../actions.ts";
import type { State, Store } from "../state.ts";
import { Columns } from "./columns.tsx";
import { Limits } from "./limits.tsx";
import { Predictions } from "./predictions.tsx";
import { Results } from "./results.tsx";
import { RunningView } from "./running.tsx";
import { Start } from "./start.tsx";
import { ThemeButton } from "./theme.tsx";

/** The page: one screen at a time, with what went wrong above it. Files may be dropped anywhere. */
export function App({ store, actions }: { store: Store; actions: Actions }): JSX.Element {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => store.subscribe(() => redraw(undefined)), [store]);
  const [over, setOver] = useState(false);
  const state = store.get();
  const main = useRef<HTMLElement>(null);
  const { screen } = state;
  // Readers of the page by ear or keyboard are taken to what is new, at once: an effect after the paint comes late.
  useLayoutEffect(() => {
    if (screen !== "start") main.current?.querySelector<HTMLElement>("h2")?.focus();
  }, [screen]);
  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void actions.open([...(event.dataTransfer?.files ?? [])]);
    },
  };
  return (
    <div class={over ? "page over" : "page"} {...dropping}>
      <header>
        <div>
          <h1>
            <button type="button" class="home" onClick={actions.startOver}>
              ratewise
            </button>
          </h1>
          <p class="soft">Which columns matter, and how sure is that?</p>
        </div>
        <ThemeButton />
      </header>
      <main ref={main}>
        {state.error !== null && (
          <p class="caution" role="alert" id="error">
            {state.error}
          </p>
        )}
        <Screen state={state} actions={actions} />
      </main>
      <footer>
        <Limits />
      </footer>
    </div>
  );
}

function Screen({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  switch (state.screen) {
    case "start":
      return <Start state={state} actions={actions} />;
    case "columns":
      return <Columns state={state} actions={actions} />;
    case "running":
      return <RunningView running={state.running!} notes={state.notes} actions={actions} />;
    case "results":
      return <Results state={state} actions={actions} />;
    case "predictions":
      return <Predictions csv={state.predictions!} actions={actions} />;
    default:
      return state.screen satisfies never;
  }
}
