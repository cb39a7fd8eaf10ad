import type { CompareDocument, ComparedCurve } from "@ratewise/core";
import { agreementFigure, shuffleFigure } from "@ratewise/plots";
import { howGood } from "./answer.ts";
import { type Html, html, listed } from "./html.ts";
import { name, number, words } from "./number.ts";
import { figure, pagePalette as palette } from "./page.ts";

const MOST_ROWS = 1000;

/** What was asked of which data, and how good the model is that all methods speak of. */
export function comparedSection(document: CompareDocument): Html {
  const { variables, target, model, options } = document;
  return html`<section aria-labelledby="data">
<h2 id="data">What was asked</h2>
<p>Which of ${number("variables.length", variables.length, "count")} variables${typeof options.data === "string" && html` of ${words("options.data", options.data)}`} matter to a network that predicts ${name(target)}? It learnt from ${number("model.rows.train", model.rows.train, "count")} rows.</p>
<p>Is it good? ${howGood(document)}</p>
</section>`;
}

/** How far other methods agree, and which ranking holds up when its favourites are shuffled. */
export function comparisonSections(document: CompareDocument, at = ""): Html {
  const { shuffle, methods } = document;
  const order = [...shuffle.curves.keys()].sort(
    (a, b) => shuffle.curves[a].area - shuffle.curves[b].area,
  );
  return html`<section aria-labelledby="agreement">
<h2 id="agreement">Do other methods agree?</h2>
<p>Each of ${number(`${at}methods.length`, methods.length, "count")} methods ranked the same variables for the same model. A rank correlation of one means the same order, zero nothing in common.</p>
${figure("agreement", agreementFigure(document, { palette }))}
</section>
<section aria-labelledby="shuffle">
<h2 id="shuffle">Which ranking holds up?</h2>
<p>The shuffle test: the values of the variables that a method ranks first are shuffled among the rows, more and more of them, and the model predicts again. If the method is right, the score falls fast. <em>random</em> shuffles variables in any order.</p>
<p>${holdsUp(shuffle)}</p>
${figure("shuffle-test", shuffleFigure(document, { palette }))}
<div class="wide" tabindex="0" role="region" aria-label="Areas of the shuffle test"><table class="ranking" id="shuffle-table">
<thead><tr><th scope="col"><button type="button">method</button></th><th scope="col" class="n" aria-sort="ascending"><button type="button">mean score (lower is better)</button></th><th scope="col" class="n"><button type="button">standard error</button></th></tr></thead>
<tbody>${order.map((c) => {
    const { name: text, area, areaStandardError } = shuffle.curves[c];
    return html`<tr><td>${text}</td><td class="n">${number(`${at}shuffle.curves.${c}.area`, area, "number")}</td><td class="n">${number(`${at}shuffle.curves.${c}.areaStandardError`, areaStandardError, "number")}</td></tr>`;
  })}</tbody></table></div>
</section>`;
}

/** Which rankings are lowest as far as the test can tell, and whether any is no better than chance. */
function holdsUp({ curves }: CompareDocument["shuffle"]): Html {
  const [lowest] = [...curves].sort((a, b) => a.area - b.area);
  const random = curves.find((curve) => curve.name === "random");
  const apart = (a: ComparedCurve, b: ComparedCurve): boolean =>
    Math.abs(a.area - b.area) > 2 * Math.hypot(a.areaStandardError, b.areaStandardError);
  const names = (list: readonly ComparedCurve[]): Html =>
    listed(list.map((curve) => html`<strong>${curve.name}</strong>`));
  const methods = curves.filter((curve) => curve !== random);
  const equal = methods.filter((curve) => curve === lowest || !apart(curve, lowest));
  const chance = methods.filter(
    (curve) => random && !(curve.area < random.area && apart(curve, random)),
  );
  const best =
    equal.length === methods.length
      ? html`No ranking is clearly better than another here.`
      : html`Lowest here, within two standard errors: ${names(equal)}.`;
  return html`${best}${chance.length > 0 && html` Not clearly better than random: ${names(chance)}.`}`;
}

/** Every variable's rank by every method. */
export function methodRanks({ variables, methods }: CompareDocument): Html {
  const names = methods.map((method) => method.name);
  return html`<section aria-labelledby="ranks">
<h2 id="ranks">Ranks by every method</h2>
<div class="tools" data-for="variables" hidden><label for="search">Search the table</label> <input id="search" type="search"> <output for="search" aria-live="polite"></output></div>
<div class="wide" tabindex="0" role="region" aria-label="Ranks by every method"><table class="ranking" id="variables">
<thead><tr><th scope="col"><button type="button">variable</button></th>${names.map((method) => html`<th scope="col" class="n"><button type="button">${method}</button></th>`)}</tr></thead>
<tbody>${variables
    .slice(0, MOST_ROWS)
    .map(
      (row, j) =>
        html`<tr><td>${name(row.name)}</td>${names.map((method) => html`<td class="n">${number(`variables.${j}.ranks.${method}`, row.ranks[method] ?? null, "count")}</td>`)}</tr>\n`,
    )}</tbody></table></div>
</section>`;
}
