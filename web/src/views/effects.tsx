import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Figure } from "./figure.tsx";

/** How the prediction changes with each of the leading variables. */
export function Effects({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { shapes } = state.explained!.document;
  return (
    <section aria-labelledby="effects-title">
      <h3 id="effects-title">In which direction, and how?</h3>
      <p>
        Each picture sets one variable to one value after another, leaves the rest of each row as it
        is, and averages what the model predicts. The band holds the middle four fifths of the rows:
        where it is wide, the effect depends on other variables. All have the same scale.
      </p>
      <div class="shapes">
        {shapes.map(({ name }, at) => (
          <Figure key={name} name={`shape-${at + 1}`} actions={actions} />
        ))}
      </div>
    </section>
  );
}
