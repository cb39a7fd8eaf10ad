import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { Running } from "../state.ts";
import { LossCurves } from "./loss-curves.tsx";

/** What the parts of the work are called in the library, in a person's words. */
const phases: Readonly<Record<string, string>> = {
  read: "Reading the rows",
  train: "Training the network",
  "fit-member": "Training the networks",
  "direct effects": "Asking which columns the network uses",
  "shapes of effects": "Drawing the shapes of effects",
  stability: "Measuring how sure the ranks are",
  permutations: "Permuting the target",
  permute: "Shuffling one column after another",
  "gaussian process": "Fitting the Gaussian process",
  swag: "Fitting the output weights",
  "hidden activations": "Running the network on the rows",
  forest: "Growing a forest",
  "grow-forest-trees": "Growing a forest",
  boosting: "Boosting trees",
  "tree-shap": "Computing Shapley values",
  "lasso path": "Fitting lassos",
  "lasso-fold": "Fitting lassos",
  "search-fold": "Trying settings",
  linear: "Fitting a linear model",
  logistic: "Fitting a logistic model",
  rows: "Working through the rows",
  "shuffle test": "Shuffling the columns that each method ranks first",
};

/** Before this share of a phase is done, a time to go would be a guess. */
const ENOUGH = 0.05;

/** How far the work is, how the loss falls, and a button that ends it at once. */
export function RunningView({
  running,
  notes,
  actions,
}: {
  running: Running;
  notes: readonly string[];
  actions: Actions;
}): JSX.Element {
  const { title, phase, done, total, elapsed, losses } = running;
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const left = share >= ENOUGH && share < 1 ? (elapsed * (1 - share)) / share : null;
  const words = phase === "" ? "Starting" : (phases[phase] ?? `Working: ${phase}`);
  // Ten times a phase is often enough to be read aloud.
  const tenth = Math.floor(share * 10) * 10;
  return (
    <section aria-labelledby="running-title">
      <h2 id="running-title" tabIndex={-1}>
        {title}
      </h2>
      <p>
        <progress value={share} max={1} aria-label={words} />
      </p>
      <p id="progress">
        {words}: {Math.floor(100 * share)}% · {clock(elapsed)} elapsed
        {left !== null && ` · about ${clock(left)} to go`}
      </p>
      <p class="visually-hidden" role="status">
        {words} {tenth}%
      </p>
      {losses.length > 1 && <LossCurves losses={losses} />}
      <p>
        <button type="button" class="button" id="cancel" onClick={() => void actions.cancel()}>
          Cancel
        </button>
      </p>
      {notes.map((note) => (
        <p class="soft" key={note}>
          {note}
        </p>
      ))}
    </section>
  );
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
