import type { ExplainDocument } from "@ratewise/core/explain";
import { type Html, html } from "./html.ts";
import { counted, name, number, shown } from "./number.ts";

type Model = Pick<ExplainDocument["model"], "rows" | "split">;

/** Which rows the model learnt from and which it was tried on, as a sentence. */
export function trainedAndTried({ rows, split }: Model): Html {
  const train = number("model.rows.train", rows.train, "count");
  const test = number("model.rows.test", rows.test, "count");
  // Results of 0.1 say nothing of it.
  switch (split?.kind) {
    case "folds":
      return html`Of ${number("model.split.folds", split.folds, "count")} networks, each was trained without one part of the ${train} rows and tested on that part. The model is their average.`;
    case "groups":
      return html`The model was trained on ${train} rows and tested on ${test} rows of ${counted("model.split.groups.test", split.groups.test, "other group", "other groups")}: rows with the same ${name(split.column)} stayed together.`;
    case "time":
      return html`The model was trained on ${train} rows and tested on the ${test} latest, those with ${name(split.column)} from ${shown(`${split.from}`)}.`;
    case "file":
      return html`The model was trained on ${train} rows and tested on ${test} rows of another file.`;
    default:
      return html`The model was trained on ${train} rows and tested on ${test} others.`;
  }
}

/** The rows that the score is of, as the beginning of a sentence. */
export function triedOn({ rows, split }: Model): Html {
  const test = number("model.rows.test", rows.test, "count");
  switch (split?.kind) {
    case "folds":
      return html`On ${test} rows, each predicted by the network that did not see it,`;
    case "groups":
      return html`On ${test} rows of other groups, which it never saw,`;
    case "time":
      return html`On the ${test} latest rows, which it never saw,`;
    case "file":
      return html`On the ${test} rows to test on,`;
    default:
      return html`On ${test} rows it never saw,`;
  }
}
