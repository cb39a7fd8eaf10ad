import type { TrainedNetworkDocument } from "@ratewise/core";
import { clause, mention, type OptionText, say } from "@ratewise/core/words";
import { shortAnswer } from "./answer.ts";
import { measured, verdict } from "./good.ts";
import { type Html, html } from "./html.ts";
import { counted, name, number, shown, words } from "./number.ts";
import { page } from "./page.ts";
import { rankingSection } from "./ranking.ts";
import { recordSection } from "./record.ts";
import { cautionsSection, classesSection, groupsSection } from "./sections.ts";
import { spoken } from "./spoken.ts";
import { subject } from "./what-matters.ts";

/** result.json of `ratewise explain --model net.onnx` as a page: a network that was trained elsewhere, on the rows that were given. */
export function networkReport(document: TrainedNetworkDocument): string {
  const { target } = document;
  return page(
    target === null ? "What matters to the network" : `What matters for ${shown(target)}`,
    html`<h1>${target === null ? html`What matters to the network?` : html`What matters for ${name(target)}?`}</h1>
${answersOf(document)}`,
    [
      dataSection(document),
      qualitySection(document),
      rankingSection(document),
      groupsSection(document),
      classesSection(document),
      cautionsSection(document, ofEveryNetwork),
      modelSection(document),
      recordSection(document),
    ],
    document,
  );
}

/** The box at its top by itself, as HTML. */
export function networkAnswers(document: TrainedNetworkDocument, optionText?: OptionText): string {
  return answersOf(document, optionText).html;
}

function answersOf(document: TrainedNetworkDocument, optionText?: OptionText): Html {
  return shortAnswer(document, howSure(optionText), howGood(document, optionText));
}

function howSure(optionText?: OptionText): Html {
  return spoken(
    say`Nothing was tested. The shares include the uncertainty of the network's last layer only; its other layers are taken as they are. For findings with a guarantee, let ratewise train the network${clause`: ${mention("select", { fdr: 0.1 })} without ${mention("model")}`}.`,
    optionText,
  );
}

function howGood(
  { model: { score, rows }, target, scores }: TrainedNetworkDocument,
  optionText?: OptionText,
): Html {
  if (score === null)
    return spoken(
      say`Not known: there is no response to compare it with${clause` (give ${mention("target")})`}.`,
      optionText,
    );
  const on = html`On the ${number("model.rows.train", rows.train, "count")} rows given`;
  const seen = html`We do not know whether it was trained on these rows. If it was, this score is too good.`;
  const value = number("model.score.score", score.score, "percent");
  return score.metric === "r2"
    ? html`<strong>${verdict(score, scores)}</strong> ${on}, its output explains ${value} of the differences in ${subject(target)}. ${seen}`
    : html`<strong>${verdict(score, scores)}</strong> ${on}, it ${measured(score, scores, "model.score", target ?? "the output")} ${seen}`;
}

function dataSection({ variables, options, model, target, task, groups }: TrainedNetworkDocument) {
  const quoted = (field: "model" | "data") =>
    typeof options[field] === "string" && html` ${words(`options.${field}`, options[field])}`;
  const kind = task === "regression" ? "a number" : "a class";
  return html`<section aria-labelledby="data">
<h2 id="data">What was asked</h2>
<p>Which of ${counted("variables.length", variables.length, "input", "inputs")} matter to the network${quoted("model")}, which was trained elsewhere and predicts ${target === null ? kind : html`${name(target)}, ${kind}`}? It was run as it is on ${number("model.rows.train", model.rows.train, "count")} rows${typeof options.data === "string" && html` of${quoted("data")}`}.${groups.length > 0 && " Groups of inputs were ranked too."}</p>
</section>`;
}

function qualitySection(document: TrainedNetworkDocument): Html {
  return html`<section aria-labelledby="quality">
<h2 id="quality">How good is the model?</h2>
<p>A ranking describes a model, so the model comes first.</p>
<p>${howGood(document)}</p>
</section>`;
}

const ofEveryNetwork = [
  html`The shares describe this network on these rows, not the world. They do not say what causes what.`,
  html`The inputs must have the order, the units and the scale of its training. A network cannot notice if they do not.`,
  html`The uncertainty is that of the last layer's weights. Another training run would have ended elsewhere; the uncertainty does not include that.`,
  html`An input that the network never got cannot be found, and the others can stand in for it.`,
];

const LINKS: Readonly<Record<string, string>> = {
  identity: "a number as it is",
  logistic: "a probability, by a sigmoid",
  softmax: "probabilities of classes, by a softmax",
};

function modelSection({ model }: TrainedNetworkDocument): Html {
  const { refit, layers } = model;
  const about = (field: "producer" | "hidden" | "by") => {
    const value = model[field];
    return typeof value === "string" && value !== "" ? words(`model.${field}`, value) : html`–`;
  };
  return html`<section aria-labelledby="model">
<h2 id="model">The model</h2>
<p>A network from a file. Its layers up to the last hidden one are taken as they are. The weights of the last linear layer became distributions (Laplace), and the uncertainty comes from them.</p>
<dl class="record">
<dt>written by</dt><dd>${about("producer")}</dd>
<dt>inputs</dt><dd>${number("model.inputs", model.inputs, "count")}</dd>
<dt>last hidden layer</dt><dd>${about("hidden")}, ${number("model.layers.0", layers[0], "count")} units</dd>
<dt>gives</dt><dd>${typeof model.link === "string" ? (LINKS[model.link] ?? model.link) : "–"}</dd>
<dt>last layer's weights</dt><dd>${refit.around === "network" ? "around the network's own" : "where the response puts them"}; prior precision ${number("model.refit.priorPrecision", refit.priorPrecision, "number")} (${refit.priorFrom === "given" ? "given" : "by marginal likelihood"}), bias ${refit.bias}${refit.noiseVariance !== null && html`, noise variance ${number("model.refit.noiseVariance", refit.noiseVariance, "number")}`}</dd>
<dt>run by</dt><dd>${about("by")}</dd>
</dl>
</section>`;
}
