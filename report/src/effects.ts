import type { EffectShape, ExplainDocument } from "@ratewise/core/explain";
import { shapeDomain, shapeFigure } from "@ratewise/plots";
import { type Html, html } from "./html.ts";
import { name, number } from "./number.ts";
import { figure, pagePalette as palette } from "./page.ts";
import { oppositeNames } from "./ranking-columns.ts";
import { prediction } from "./what-matters.ts";

/** Direction and shape of the leading variables' effects. */
export function effectsSection(document: ExplainDocument): Html {
  const { shapes, target, task, diagnostics } = document;
  if (shapes.length === 0) return html``;
  const banded = shapes.some(({ curves }) => curves.length === 1);
  const opposite = new Set(oppositeNames(diagnostics));
  return html`<section aria-labelledby="effects">
<h2 id="effects">In which direction, and how?</h2>
<p>Each picture sets one variable to one value after another in ${number("shapes.0.rows", shapes[0].rows, "count")} rows, leaves the rest of each row as it is, and averages the model's predictions. The dots are at quantiles of the data, so there are many rows where the dots are dense.${banded && html` The band shows how rows differ, not how sure the model is. Every row has its own curve, moved up or down to the height of the average curve${task === "classification" && " (in log-odds, so that it stays between zero and one)"}. The band holds the middle four fifths of these curves. Where it is wide, the effect depends on the other variables.`} All pictures have the same scale for the prediction, so a flat line is a small effect.</p>
<div class="shapes">
${shapes.map((shape, at) =>
  figure(
    `shape-${at + 1}`,
    shapeFigure(shape, target, { palette, domain: shapeDomain(shapes) }),
    html`${sentence(shape, prediction(document), at)}${opposite.has(shape.name) && html` The opposite holds if everything that usually moves with ${name(shape.name)} changes too (see its effect in the table).`}`,
  ),
)}
</div>
</section>`;
}

/** The picture in a sentence. */
function sentence(
  { name: variable, kind, curves, values }: EffectShape,
  what: Html,
  at: number,
): Html {
  if (curves.length > 1) return html`The probability of each class by ${name(variable)}.`;
  const [{ mean, shape }] = curves;
  if (kind === "category") {
    const high = mean.indexOf(Math.max(...mean));
    const low = mean.indexOf(Math.min(...mean));
    return html`By ${name(variable)}, ${what} is highest for ${name(`${values[high]}`)} and lowest for ${name(`${values[low]}`)}.`;
  }
  if (shape === "depends on others")
    return html`What ${name(variable)} does depends on other variables: ${what} rises with it in some rows and falls in others.`;
  if (shape === "flat") return html`With ${name(variable)}, ${what} hardly changes.`;
  if (values.length === 2) {
    const [from, to] = values.map((value, end) =>
      number(`shapes.${at}.values.${end}`, value as number, "number"),
    );
    return html`From ${name(variable)} ${from} to ${name(variable)} ${to}, ${what} ${shape}.`;
  }
  return html`When ${name(variable)} alone grows, ${what} ${shape}.`;
}
