import type { ExplainDocument, ModelScores } from "@ratewise/core/explain";
import { predictionFigure, reliabilityFigure } from "@ratewise/plots";
import { howHonest } from "./answer.ts";
import { howGood } from "./good.ts";
import { type Html, html } from "./html.ts";
import { name, number } from "./number.ts";
import { figure, pagePalette as palette, phoneWidth as width } from "./page.ts";

/** How good the model is, and whether it knows. */
export function qualitySection(document: ExplainDocument): Html {
  const { calibration } = document;
  return html`<section aria-labelledby="quality">
<h2 id="quality">How good is the model?</h2>
<p>A ranking describes a model, so the model comes first. Some rows were kept out of training, and the model had to predict them.</p>
<p>${howGood(document)}</p>
${calibration.intervals ? ofNumbers(document) : ofClasses(document)}
</section>`;
}

function ofNumbers(document: ExplainDocument): Html {
  const { calibration, predictions, target } = document;
  return html`${figure(
    "predictions",
    predictionFigure(document, { palette }),
    html`Each dot is a row the model never saw${predictions.row.length < predictions.of && html` (${number("predictions.row.length", predictions.row.length, "count")} of ${number("predictions.of", predictions.of, "count")}, drawn at random)`}. On the dashed line, prediction and truth agree.`,
    predictionFigure(document, { palette, width }),
  )}
<h3>Does it know what it does not know?</h3>
<p>${howHonest(document)}</p>
<table><caption class="soft">How often the model's intervals held the true ${name(target)}</caption>
<thead><tr><th scope="col">stated</th><th scope="col" class="n">held</th></tr></thead>
<tbody>${calibration.intervals!.map(
    ({ level, covered }, at) =>
      html`<tr><td>${number(`calibration.intervals.${at}.level`, level, "level")} interval</td><td class="n">${number(`calibration.intervals.${at}.covered`, covered, "percent")}</td></tr>`,
  )}</tbody></table>`;
}

function ofClasses(document: ExplainDocument): Html {
  return html`<h3>Does it know what it does not know?</h3>
<p>${howHonest(document)}</p>
${figure(
  "reliability",
  reliabilityFigure(document, { palette }),
  html`On the dashed line, events happen as often as the model says. Below the line the model is too certain, above it too cautious.`,
  reliabilityFigure(document, { palette, width }),
)}
${confusion(document)}`;
}

/** Classes that came against classes named. */
function confusion({
  calibration: { confusion: counts },
  classes,
  predictions,
  scores,
}: ExplainDocument): Html {
  if (!counts) return html``;
  const labels = namesOf(scores) ?? classes?.map((row) => row.class) ?? twoClasses(predictions);
  if (labels.length !== counts.length) return html``;
  return html`<h3>Which classes are confused</h3>
<div class="wide" tabindex="0" role="region" aria-label="Which classes are confused"><table>
<thead><tr><th scope="col">true class</th>${labels.map((label) => html`<th scope="col" class="n">predicted ${name(label)}</th>`)}</tr></thead>
<tbody>${counts.map(
    (row, i) =>
      html`<tr><th scope="row">${name(labels[i])}</th>${row.map((count, j) => html`<td class="n">${number(`calibration.confusion.${i}.${j}`, count, "count")}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Results of 0.1 have no scores. */
function namesOf(scores: ModelScores | undefined): readonly string[] | undefined {
  return scores?.metric === "logLoss" ? scores.classes : undefined;
}

/** Of a result of 0.1, whose two classes stand in the predictions alone; they are in the order of a dictionary, or of numbers. */
function twoClasses(predictions: ExplainDocument["predictions"]): string[] {
  const names = [...new Set([...predictions.observed, ...predictions.predicted])] as string[];
  return names.sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
}
