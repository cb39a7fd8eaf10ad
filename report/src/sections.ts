import type { ScoreRow } from "@ratewise/core";
import { type DiagnosticCode, severityOf } from "@ratewise/core/diagnostic";
import type { ExplainDocument, ModelForm } from "@ratewise/core/explain";
import { architectureDiagram, groupFigure } from "@ratewise/plots";
import { trainedAndTried } from "./held-out.ts";
import { type Html, html } from "./html.ts";
import { counted, name, number, shown, words } from "./number.ts";
import { figure, pagePalette as palette, phoneWidth } from "./page.ts";
import type { Ranked } from "./ranked.ts";

/** What was asked of which data. */
export function dataSection({
  target,
  task,
  variables,
  model,
  excluded,
  options,
  groups,
}: ExplainDocument): Html {
  const { data } = options;
  const kind = task === "regression" ? "a number" : "a class";
  return html`<section aria-labelledby="data">
<h2 id="data">What was asked</h2>
<p>Which of ${counted("variables.length", variables.length, "variable", "variables")}${typeof data === "string" && html` of ${words("options.data", data)}`} matter to a model that predicts ${name(target)}, ${kind}? ${trainedAndTried(model)}${groups.length > 0 && " Groups of variables were ranked too."}</p>
${excluded.length > 0 && html`<p>Left out: ${excluded.slice(0, 20).map(({ name: text, reason }, at) => html`${at > 0 && ", "}${name(text)} (${words(`excluded.${at}.reason`, reason)})`)}${excluded.length > 20 && " and more"}.</p>`}
</section>`;
}

export function groupsSection({ groups, target }: Ranked): Html {
  if (groups.length === 0) return html``;
  const order = [...groups.keys()].sort((a, b) => groups[a].rank! - groups[b].rank!).slice(0, 1000);
  const selection = groups.some(({ selected }) => selected !== null);
  const drawn = { groups, target: target ?? "the output" };
  return html`<section aria-labelledby="groups">
<h2 id="groups">Groups of variables</h2>
<p>A group is judged as a whole: how closely all its variables together move with the prediction, and how much the model uses them. Shares add up to one hundred percent over these groups.</p>
${figure("groups", groupFigure(drawn, { palette }), null, groupFigure(drawn, { palette, width: phoneWidth }))}
<div class="wide" tabindex="0" role="region" aria-label="All groups"><table class="ranking" id="group-table">
<thead><tr><th scope="col" class="n" aria-sort="ascending"><button type="button">rank</button></th><th scope="col"><button type="button">group</button></th><th scope="col" class="n"><button type="button">variables</button></th><th scope="col" class="n" data-first="descending"><button type="button">RATE</button></th><th scope="col" class="n" data-first="descending"><button type="button">direct</button></th>${selection && html`<th scope="col"><button type="button">selected</button></th><th scope="col" class="n"><button type="button">q</button></th>`}</tr></thead>
<tbody>${order.map((at) => {
    const { name: text, rank, size, rate, direct, selected, qValue } = groups[at];
    return html`<tr><td class="n">${number(`groups.${at}.rank`, rank, "count")}</td><td>${name(text)}</td><td class="n">${number(`groups.${at}.size`, size, "count")}</td><td class="n">${number(`groups.${at}.rate`, rate, "percent")}</td><td class="n">${number(`groups.${at}.direct.rate`, direct?.rate ?? null, "percent")}</td>${selection && html`<td>${selected === null ? "" : selected ? "yes" : "no"}</td><td class="n">${number(`groups.${at}.qValue`, qValue, "level")}</td>`}</tr>`;
  })}</tbody></table></div>
</section>`;
}

/** Which variables may be called findings, and what that promises. */
export function selectionSection({ diagnostics }: Ranked): Html {
  const notes = diagnostics
    .map((diagnostic, at) => ({ diagnostic, at }))
    .filter(({ diagnostic: { code } }) => code === "selection" || code === "stability");
  if (notes.length === 0) return html``;
  return html`<section aria-labelledby="selection">
<h2 id="selection">How sure is that?</h2>
${notes.map(({ diagnostic, at }) => html`<p>${words(`diagnostics.${at}.message`, diagnostic.message)}</p>`)}
</section>`;
}

const TOP_OF_CLASS = 5;

/** The first variables of each class of three or more. */
export function classesSection({ classes }: Pick<ExplainDocument, "classes">): Html {
  if (!classes) return html``;
  const first = (rows: readonly ScoreRow[]) =>
    [...rows.keys()].sort((a, b) => rows[a].rank! - rows[b].rank!).slice(0, TOP_OF_CLASS);
  return html`<section aria-labelledby="classes">
<h2 id="classes">Class by class</h2>
<p>The variables that move most closely with the model's output for each class (<span class="rate">RATE</span> of that class alone).</p>
<div class="wide" tabindex="0" role="region" aria-label="Leading variables of each class"><table>
<thead><tr><th scope="col">class</th><th scope="col">leading variables</th></tr></thead>
<tbody>${classes.map(
    ({ class: text, variables }, c) =>
      html`<tr><th scope="row">${name(text)}</th><td>${first(variables).map((at, i) => html`${i > 0 && ", "}${name(variables[at].name)} ${number(`classes.${c}.variables.${at}.rate`, variables[at].rate, "percent")}`)}</td></tr>`,
  )}</tbody></table></div>
</section>`;
}

const elsewhere = new Set<DiagnosticCode>(["selection", "stability"]);

/** Cautions in plain words: what this run reported, then what is `always` true. */
export function cautionsSection({ diagnostics }: Ranked, always: readonly Html[]): Html {
  const notes = diagnostics.map(({ code, message }, at) => ({
    code,
    text: words(`diagnostics.${at}.message`, message),
  }));
  const serious = notes.filter((note) => severityOf(note) === "serious");
  const inside = notes.filter((note) => severityOf(note) === "internal");
  const plain = notes.filter(
    (note) => !serious.includes(note) && !inside.includes(note) && !elsewhere.has(note.code),
  );
  return html`<section aria-labelledby="cautions">
<h2 id="cautions">What to keep in mind</h2>
${serious.map(({ text }) => html`<p class="caution">${text}</p>`)}
<ul class="cautions">
${plain.map(({ text }) => html`<li>${text}</li>`)}
${always.map((text) => html`<li>${text}</li>`)}
</ul>
${inside.length > 0 && html`<details><summary>Notes on the numbers, for those who know the method</summary><ul class="cautions">${inside.map(({ text }) => html`<li>${text}</li>`)}</ul></details>`}
</section>`;
}

const KINDS: Readonly<Record<ModelForm, string>> = {
  constant: "A constant, because no column helped to predict rows held back from training,",
  linear: "A linear model",
  network: "A neural network",
  blend: "A neural network blended with a linear model",
  beside: "A neural network beside a linear part",
};

/** The network as a drawing, or the process in words. */
export function modelSection({
  model,
  task,
  target,
  variables,
  classes,
  calibration,
  recipe,
}: ExplainDocument): Html {
  if (model.kernel)
    return html`<section aria-labelledby="model"><h2 id="model">The model</h2>
<p>A Gaussian process with the kernel <code>${model.kernel.kind}</code>: signal variance ${number("model.kernel.signalVariance", model.kernel.signalVariance, "number")}, noise variance ${number("model.kernel.noiseVariance", model.kernel.noiseVariance, "number")}${model.kernel.lengthScale !== null && html`, length scale ${number("model.kernel.lengthScale", model.kernel.lengthScale, "number")}`}, chosen by marginal likelihood.</p></section>`;
  const outputs = classes?.map((row) => row.class) ?? [calibration.probabilities?.class ?? target];
  const diagram = architectureDiagram(
    {
      inputs: model.inputs,
      layers: model.layers.map((units) => ({ kind: "dense", units, activation: "relu" })),
      ...(task === "regression"
        ? { link: "identity" }
        : outputs.length === 1
          ? { link: "logistic" }
          : { link: "softmax", classes: outputs.length }),
    },
    {
      ...(model.inputs === variables.length && {
        inputNames: variables.map((row) => shown(row.name)),
      }),
      outputNames: outputs.map(shown),
    },
  );
  const themed = diagram
    .replaceAll('"#fff"', '"var(--paper)"')
    .replaceAll('"#333"', '"var(--ink)"')
    .replaceAll('"#66707a"', '"var(--soft)"')
    .replaceAll('"#9aa5b1"', '"var(--line)"')
    .replaceAll('"#d55e00"', '"var(--direct)"');
  return html`<section aria-labelledby="model">
<h2 id="model">The model</h2>
<p>${model.ensemble === 1 ? html`${KINDS[model.form ?? "network"]}` : html`${number("model.ensemble", model.ensemble, "count")} neural networks, averaged,`} with ${number("model.inputs", model.inputs, "count")} inputs (a category has one for each of its levels), trained by the recipe <code>${recipe}</code>. Its output weights are distributions instead of numbers (${model.posterior}). That is where the uncertainty above comes from.</p>
${model.choice && html`<p>${words("model.choice", model.choice)}</p>`}
${figure("architecture", themed, html`Hidden weights are fixed after training. Every weight into the output has a distribution.`)}
</section>`;
}
