import type { EffectShape } from "@ratewise/core/explain";
import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Figure } from "./figure.tsx";

/** How the prediction changes with each of the leading variables. */
export function Effects({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { shapes, task } = state.explained!.document;
  return (
    <section aria-labelledby="effects-title">
      <h3 id="effects-title">In which direction, and how?</h3>
      <p>
        Each picture sets one variable to one value after another, leaves the rest of each row as it
        is, and averages the model's predictions.{" "}
        {shapes.some(({ curves }) => curves.length === 1) && (
          <>
            The band shows how rows differ, not how sure the model is. It holds the middle four
            fifths of the rows' own curves, each moved to the height of the average
            {task === "classification" && " (in log-odds, so that it stays between 0 and 1)"}. Where
            it is wide, the effect depends on other variables.{" "}
          </>
        )}
        All pictures have the same scale.
      </p>
      {flat(shapes) && (
        <p class="note">
          None of these changes the prediction much by itself. Many variables say the same, and the
          network uses all of them together.
        </p>
      )}
      <div class="shapes">
        {shapes.map(({ name }, at) => (
          <Figure key={name} name={`shape-${at + 1}`} actions={actions} />
        ))}
      </div>
    </section>
  );
}

/** A change of a probability that the eye does not see in a figure. */
const UNSEEN = 0.03;

/** Whether all are chances that hardly change: the figures look empty then. */
function flat(shapes: readonly EffectShape[]): boolean {
  return shapes
    .flatMap(({ curves }) => curves)
    .every(({ class: of, mean }) => of !== null && Math.max(...mean) - Math.min(...mean) < UNSEEN);
}
