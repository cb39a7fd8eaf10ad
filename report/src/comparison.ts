import {
  type CompareDocument,
  type ComparedCurve,
  type ComparedMethod,
  type ComparedRow,
  methodTable,
  methodTitle,
} from "@ratewise/core/explain";
import { agreementFigure, shuffleFigure } from "@ratewise/plots";
import { howGood } from "./good.ts";
import { type Html, html, listed } from "./html.ts";
import { name, number, words } from "./number.ts";
import { figure, pagePalette as palette, phoneWidth as width } from "./page.ts";

const MOST_ROWS = 1000;
const LOOKS_AT: Readonly<Record<ComparedMethod["of"], string>> = {
  network: "the model",
  mimic: "a mimic of it",
  response: "the data alone",
};

/** What was asked of which data, and how good the model is that all methods speak of. */
export function comparedSection(document: CompareDocument): Html {
  const { variables, target, model, options } = document;
  return html`<section aria-labelledby="data">
<h2 id="data">What was asked</h2>
<p>Which of ${number("variables.length", variables.length, "count")} variables${typeof options.data === "string" && html` of ${words("options.data", options.data)}`} matter to a network that predicts ${name(target)}? It was trained on ${number("model.rows.train", model.rows.train, "count")} rows.</p>
<p>Is it good? ${howGood(document)}</p>
</section>`;
}

/** How far other methods agree, and which ranking holds up when its favourites are shuffled. */
export function comparisonSections(document: CompareDocument, at = ""): Html {
  const { shuffle, methods } = document;
  const order = [...shuffle.curves.keys()].sort(
    (a, b) => shuffle.curves[a].area - shuffle.curves[b].area,
  );
  const looksAt = (text: string): Html => {
    const m = methods.findIndex((method) => method.name === text);
    const about = methods[m];
    return html`<td>${about ? LOOKS_AT[about.of] : ""}</td><td class="n">${about?.of === "mimic" ? number(`${at}methods.${m}.mimicScore`, about.mimicScore, "number") : ""}</td>`;
  };
  return html`<section aria-labelledby="agreement">
<h2 id="agreement">Do other methods agree?</h2>
<p>Each of ${number(`${at}methods.length`, methods.length, "count")} methods ranked the same variables for the same model. A rank correlation of one means the same order, zero means nothing in common.${at !== "" && html` <em>${methodTable.rate.shortTitle}</em> is RATE as above, <em>${methodTable.gradient.shortTitle}</em> the direct share.`}</p>
${figure("agreement", agreementFigure(document, { palette }), null, agreementFigure(document, { palette, width }))}
</section>
<section aria-labelledby="shuffle">
<h2 id="shuffle">Which ranking holds up?</h2>
<p>The shuffle test takes the variables that a method ranks first and shuffles their values among the rows, one variable after another. Each time, the model predicts again. If the method is right, the score falls fast. <em>random</em> shuffles the variables in random order. In the figure each method has a panel, lowest mean first. Its curve is drawn over those of the others, with random orders dashed.</p>
<p>${holdsUp(shuffle)}</p>
${figure("shuffle-test", shuffleFigure(document, { palette }), null, shuffleFigure(document, { palette, width }))}
<div class="wide" tabindex="0" role="region" aria-label="Areas of the shuffle test"><table class="ranking" id="shuffle-table">
<thead><tr><th scope="col"><button type="button">method</button></th><th scope="col"><button type="button">looks at</button></th><th scope="col" class="n"><button type="button">R² of its mimic</button></th><th scope="col" class="n" aria-sort="ascending"><button type="button">mean score (lower is better)</button></th><th scope="col" class="n"><button type="button">standard error</button></th></tr></thead>
<tbody>${order.map((c) => {
    const { name: text, area, areaStandardError } = shuffle.curves[c];
    return html`<tr><td>${methodTitle(text)}</td>${looksAt(text)}<td class="n">${number(`${at}shuffle.curves.${c}.area`, area, "number")}</td><td class="n">${number(`${at}shuffle.curves.${c}.areaStandardError`, areaStandardError, "number")}</td></tr>`;
  })}${methods
    .filter(({ name: text }) => !shuffle.curves.some((curve) => curve.name === text))
    .map(
      ({ name: text }) =>
        html`<tr><td>${methodTitle(text)}</td>${looksAt(text)}<td class="n"><span class="none">–</span></td><td class="n"><span class="none">–</span></td></tr>`,
    )}</tbody></table></div>
${
  methods.some(({ of }) => of === "mimic") &&
  html`<p>A mimic is another kind of model, trained to predict what this one predicts. Its R² says how well it does so on rows that neither has seen. The closer it is to one, the more its ranking says about this model.</p>`
}
${searched(document, at)}
${at !== "" && methodNotes(document, at)}
</section>`;
}

/** What is to be said of single methods; a comparison's own page has it among its cautions. */
function methodNotes({ diagnostics }: CompareDocument, at: string): Html | false {
  const told = diagnostics.flatMap(({ method, message }, d) =>
    method === undefined ? [] : [html`<li>${words(`${at}diagnostics.${d}.message`, message)}</li>`],
  );
  return told.length > 0 && html`<ul class="cautions">${told}</ul>`;
}

/** The settings that were chosen for mimics, if any were; a search that two methods share stands once. */
function searched({ methods }: CompareDocument, at: string): Html | false {
  const rows = methods.flatMap(({ name: text, search }, m) =>
    search === null || methods.findIndex((other) => other.search?.method === search.method) < m
      ? []
      : [{ text, search, from: `${at}methods.${m}.search` }],
  );
  if (rows.length === 0) return false;
  return html`<p>The settings of mimics were chosen among random candidates, by how well each predicted training rows left out of its fit (R²). The first candidate is the method's default.</p>
<div class="wide" tabindex="0" role="region" aria-label="Settings searched"><table id="searches">
<thead><tr><th scope="col">method</th><th scope="col" class="n">candidates</th><th scope="col" class="n">folds</th><th scope="col" class="n">R² of the first</th><th scope="col" class="n">R² of the best</th><th scope="col">settings of the best</th></tr></thead>
<tbody>${rows.map(
    ({ text, search: { candidates, folds, best }, from }) =>
      html`<tr><td>${methodTitle(text)}</td><td class="n">${number(`${from}.candidates.length`, candidates.length, "count")}</td><td class="n">${number(`${from}.folds`, folds, "count")}</td><td class="n">${number(`${from}.candidates.0.mean`, candidates[0].mean, "number")}</td><td class="n">${number(`${from}.candidates.${best}.mean`, candidates[best].mean, "number")}</td><td>${best === 0 ? "the default" : settingsText(candidates[best].settings, `${from}.candidates.${best}.settings`)}</td></tr>\n`,
  )}</tbody></table></div>`;
}

function settingsText(settings: Readonly<Record<string, unknown>>, from: string): Html {
  const parts = Object.entries(settings).map(
    ([key, value]) =>
      html`<code>${key}</code> ${typeof value === "number" ? number(`${from}.${key}`, value, "number") : html`<code>${String(value)}</code>`}`,
  );
  return listed(parts);
}

/** Which rankings are lowest as far as the test can tell, and whether any is no better than chance. */
function holdsUp({ curves }: CompareDocument["shuffle"]): Html {
  const [lowest] = [...curves].sort((a, b) => a.area - b.area);
  const random = curves.find((curve) => curve.name === "random");
  const apart = (a: ComparedCurve, b: ComparedCurve): boolean =>
    Math.abs(a.area - b.area) > 2 * Math.hypot(a.areaStandardError, b.areaStandardError);
  const names = (list: readonly ComparedCurve[]): Html =>
    listed(list.map((curve) => html`<strong>${methodTitle(curve.name)}</strong>`));
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

/** Every variable's rank by every method, and every group's. */
export function methodRanks({ variables, groups, methods }: CompareDocument): Html {
  const names = methods.map((method) => method.name);
  const tied = [...variables, ...groups].some(({ ranks }) =>
    names.some((method) => !Number.isInteger(ranks[method])),
  );
  return html`<section aria-labelledby="ranks">
<h2 id="ranks">Ranks by every method</h2>
${tied && html`<p>Equal scores share the mean of their ranks. A method that gives every variable the same score has no ranks.</p>`}
<div class="tools" data-for="variables" hidden><label for="search">Search the table</label> <input id="search" type="search"> <output for="search" aria-live="polite"></output></div>
${ranksTable("variable", "variables", variables, names)}
</section>
${
  groups.length > 0 &&
  html`<section aria-labelledby="groups">
<h2 id="groups">Groups by every method</h2>
${ranksTable("group", "groups", groups, names)}
</section>`
}`;
}

function ranksTable(
  what: string,
  from: "variables" | "groups",
  rows: readonly ComparedRow[],
  names: readonly ComparedMethod["name"][],
): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="Ranks of ${from} by every method"><table class="ranking" id="${from === "groups" ? "groups-table" : "variables"}">
<thead><tr><th scope="col"><button type="button">${what}</button></th>${names.map((method) => html`<th scope="col" class="n"><button type="button">${methodTitle(method)}</button></th>`)}</tr></thead>
<tbody>${rows
    .slice(0, MOST_ROWS)
    .map(
      (row, j) =>
        html`<tr><td>${name(row.name)}</td>${names.map((method) => html`<td class="n">${number(`${from}.${j}.ranks.${method}`, row.ranks[method] ?? null, "count")}</td>`)}</tr>\n`,
    )}</tbody></table></div>`;
}
