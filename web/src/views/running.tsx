import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { LossPoint, Running } from "../state.ts";

/** What the parts of the work are called in the library, in a person's words. */
const phases: Readonly<Record<string, string>> = {
  read: "Reading the rows",
  train: "Training the network",
  "fit-member": "Training the networks",
  "direct effects": "Asking which columns the network uses",
  "shapes of effects": "Drawing the shapes of effects",
  stability: "Finding out how sure the ranks are",
  permutations: "Permuting",
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
        {words}: {Math.floor(100 * share)}% · {clock(elapsed)} gone
        {left !== null && ` · about ${clock(left)} to go`}
      </p>
      <p class="visually-hidden" role="status">
        {words} {tenth}%
      </p>
      {losses.length > 1 && <LossCurve losses={losses} />}
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

const WIDTH = 640;
const HEIGHT = 180;

/** The loss of training rows and of rows held back, as it comes in. */
function LossCurve({ losses }: { losses: readonly LossPoint[] }): JSX.Element {
  const values = losses.flatMap(({ loss, validationLoss }) =>
    validationLoss === null ? [loss] : [loss, validationLoss],
  );
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (share: number): string => (WIDTH * share).toFixed(1);
  const y = (loss: number): string =>
    (HEIGHT - 8 - ((HEIGHT - 16) * (loss - low)) / Math.max(high - low, 1e-12)).toFixed(1);
  const path = (points: readonly (readonly [number, number])[]): string =>
    points.map(([share, loss], at) => `${at === 0 ? "M" : "L"}${x(share)} ${y(loss)}`).join("");
  const held = losses.flatMap(({ share, validationLoss }) =>
    validationLoss === null ? [] : [[share, validationLoss] as const],
  );
  const last = losses.at(-1)!;
  return (
    <figure id="loss">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Loss while training, falling">
        <rect width={WIDTH} height={HEIGHT} fill="none" stroke="var(--line)" />
        <path
          d={path(losses.map(({ share, loss }) => [share, loss]))}
          fill="none"
          stroke="var(--marginal)"
          stroke-width="1.6"
        />
        <path d={path(held)} fill="none" stroke="var(--direct)" stroke-width="1.6" />
      </svg>
      <figcaption>
        Loss of <span class="marginal">training rows</span>
        {last.validationLoss !== null && (
          <>
            {" "}
            and of <span class="direct">rows held back</span>
          </>
        )}
        : {last.loss.toPrecision(4)}
        {last.validationLoss !== null && ` and ${last.validationLoss.toPrecision(4)}`}. Training
        tries several strengths of shrinking and stops each when the rows held back get no better,
        so it is often done long before the end of the bar.
      </figcaption>
    </figure>
  );
}

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
