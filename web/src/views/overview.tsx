import { severityOf } from "@ratewise/core/diagnostic";
import type { JSX } from "preact";
import type { Actions } from "../actions.ts";
import type { State } from "../state.ts";
import { Figure } from "./figure.tsx";

/** The questions a reader has, each with its answer; then the two shares side by side. */
export function Overview({ state, actions }: { state: State; actions: Actions }): JSX.Element {
  const { answers, document, figures } = state.explained!;
  return (
    <>
      <section aria-label="The short answer">
        {/* The report's own words, made by our own worker from the result, with every name escaped. */}
        <div dangerouslySetInnerHTML={{ __html: answers }} />
      </section>
      <section aria-labelledby="shares-title">
        <h3 id="shares-title">The leading variables</h3>
        <Figure name="importance" actions={actions}>
          <span class="rate">RATE ●</span>: does the variable move with the prediction?{" "}
          <span class="direct">Direct ◆</span>: does the model use it? A long line means that the
          two questions have different answers.
        </Figure>
      </section>
      {figures.includes("quality") && (
        <section aria-labelledby="quality-title">
          <h3 id="quality-title">On rows it never saw</h3>
          <Figure name="quality" actions={actions} />
        </section>
      )}
      <section aria-labelledby="cautions" class="cautions">
        <h3 id="cautions">What to keep in mind</h3>
        <ul>
          {document.diagnostics
            .filter((note) => severityOf(note) !== "internal")
            .map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          <li>
            The rankings describe a network, not the world. They say what it uses, not what causes
            what.
          </li>
        </ul>
        <details>
          <summary>Notes on the numbers, for those who know the method</summary>
          <ul>
            {document.diagnostics
              .filter((note) => severityOf(note) === "internal")
              .map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
          </ul>
        </details>
      </section>
    </>
  );
}
